import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startTestBed, type RoleProcess, type TestBed } from '../support/service.js';
import { eventually, supplierOf, tally } from '../support/supplier.js';
import { findLies, isSettled, leadsOf, postMany, rowsOf, type Scene } from './truth.js';

/** Small groups, so that both workers have some of the leads. */
const SMALL_GROUPS = { INTAKE_GROUP_MAX: '8', INTAKE_LANES: '8' };
const LEADS = 60;

describe('a worker is lost while its buyer is being asked', () => {
  let bed: TestBed;
  let buyer: FakeBuyer;
  let api: RoleProcess;
  let worker: RoleProcess;

  beforeAll(async () => {
    bed = await startTestBed();
    buyer = await startFakeBuyer(() => ({ ...YES, delayMs: 300 }));
    [api, worker] = await Promise.all([
      bed.spawn('api', SMALL_GROUPS),
      bed.spawn('worker'),
      bed.spawn('delivery'),
    ]);
    // A worker's first tasks are slow; what counts here is what happens later.
    const { account } = await sceneWith({ honours_idempotency_key: true }, ['warm', 'warm-next']);
    const supplier = supplierOf(api.url, account);
    await eventually(async () => (await supplier.post()).status === 201, 'leads are taken');
    await supplier.close();
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  const sceneWith = async (
    terms: { honours_idempotency_key: boolean },
    names: [string, string],
  ): Promise<Scene> => {
    const [first, second] = names;
    const delivery = { timeout_ms: 1_500, ...terms };
    const account = await createAccount(bed, {
      buyers: {
        [first]: { delivery: { ...delivery, url: `${buyer.url}/${first}` } },
        [second]: { delivery: { ...delivery, url: `${buyer.url}/${second}` } },
      },
    });
    return { bed, account, buyer };
  };
  const received = (path: string) => buyer.requests.filter((request) => request.path === path);
  const midway = (path: string) =>
    eventually(() => received(path).length >= LEADS / 3, 'a third of the leads is with the buyer');

  it('kills it: every acknowledged lead is sold exactly once, after a re-send under the same key', async () => {
    const scene = await sceneWith({ honours_idempotency_key: true }, ['killed', 'killed-next']);
    const supplier = supplierOf(api.url, scene.account);
    const posting = postMany(supplier, LEADS, 8);
    await midway('/killed');
    worker.kill('SIGKILL');
    expect(received('/killed').length).toBeLessThan(LEADS);
    worker = await bed.spawn('worker');
    const posted = await posting;
    await supplier.close();
    await eventually(() => isSettled(scene), 'every lead is decided', 40_000);
    expect(await findLies(scene, posted)).toEqual([]);
    const leads = await leadsOf(scene);
    expect(tally(leads.map(({ status }) => status)).ACCEPTED).toBe(
      posted.filter(({ answer }) => answer?.status === 201).length,
    );
    expect(received('/killed').some(({ time }) => time > 1)).toBe(true);
  }, 60_000);

  it('kills it: what a buyer without idempotency was sent is held, and never sent again', async () => {
    const scene = await sceneWith({ honours_idempotency_key: false }, ['once', 'once-next']);
    const supplier = supplierOf(api.url, scene.account);
    const posting = postMany(supplier, LEADS, 8);
    await midway('/once');
    worker.kill('SIGKILL');
    worker = await bed.spawn('worker');
    const posted = await posting;
    await supplier.close();
    await eventually(() => isSettled(scene), 'every lead is decided or held', 40_000);
    expect(await findLies(scene, posted)).toEqual([]);
    expect(buyer.requests.filter(({ path, time }) => path.startsWith('/once') && time > 1)).toEqual(
      [],
    );
    const unknown = (await rowsOf(scene)).filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeGreaterThan(0);
    const open = (await leadsOf(scene)).filter(({ status }) => status === 'PENDING');
    expect(open.map(({ _id }) => _id).sort()).toEqual(unknown.map((row) => row.lead_id).sort());
  }, 60_000);

  it('stops it for 8 s: its leads are taken over, and nothing is doubled when it comes back', async () => {
    const scene = await sceneWith({ honours_idempotency_key: true }, ['stopped', 'stopped-next']);
    const second = await bed.spawn('worker');
    const supplier = supplierOf(api.url, scene.account);
    const posting = postMany(supplier, LEADS, 8);
    await midway('/stopped');
    worker.kill('SIGSTOP');
    await delay(8_000);
    worker.kill('SIGCONT');
    const posted = await posting;
    await supplier.close();
    await eventually(() => isSettled(scene), 'every lead is decided', 40_000);
    expect(await findLies(scene, posted)).toEqual([]);
    const leads = await leadsOf(scene);
    expect(tally(leads.map(({ status }) => status)).ACCEPTED).toBe(
      posted.filter(({ answer }) => answer?.status === 201).length,
    );
    expect(worker.child.exitCode).toBeNull();
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  }, 60_000);
});
