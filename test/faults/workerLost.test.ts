import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type RoleProcess, type ServiceBed } from '../support/service.js';
import { supplierOf, type Supplier } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import {
  findLies,
  isSettled,
  leadsOf,
  postMany,
  rowsOf,
  type Posted,
  type Scene,
} from './truth.js';

/** Small groups, so that both workers get some of the leads. */
const SMALL_GROUPS = { INTAKE_GROUP_MAX: '8', INTAKE_LANES: '8' };
const LEADS = 60;

interface Terms {
  honours_idempotency_key: boolean;
}

interface Lost {
  scene: Scene;
  supplier: Supplier;
  posting: Promise<Posted[]>;
}

describe('a worker is lost while its buyer is being asked', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let api: RoleProcess;
  let worker: RoleProcess;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => ({ ...YES, delayMs: 300 }), {
      honorsKey: (path) => !path.startsWith('/once'),
    });
    [api, worker] = await Promise.all([
      bed.spawn('api', SMALL_GROUPS),
      bed.spawn('worker'),
      bed.spawn('delivery'),
    ]);
    // A worker's first tasks are slow; only later ones count here.
    const { account } = await sceneWith({ honours_idempotency_key: true }, ['warm', 'warm-next']);
    const supplier = supplierOf(api.url, account);
    await waitFor(async () => (await supplier.post()).status === 201, {
      message: 'leads are taken',
    });
    await supplier.close();
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  const sceneWith = async (terms: Terms, names: [string, string]): Promise<Scene> => {
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
  /** Posts the leads of a scene; the worker is lost while they are in flight. */
  const begin = (scene: Scene): Lost => {
    const supplier = supplierOf(api.url, scene.account);
    return { scene, supplier, posting: postMany(supplier, LEADS, 8) };
  };
  /** Every lead is decided or held, and all answers and records are true. */
  const end = async ({ scene, supplier, posting }: Lost): Promise<Posted[]> => {
    const posted = await posting;
    await supplier.close();
    await waitFor(() => isSettled(scene), {
      message: 'every lead is decided or held',
      timeoutMs: 40_000,
    });
    expect(await findLies(scene, posted)).toEqual([]);
    return posted;
  };
  /** Acknowledged leads are sold; a lead answered 504, whose result was unknown, may be sold too. */
  const expectSold = async ({ scene }: Lost, posted: readonly Posted[]) => {
    const leads = await leadsOf(scene);
    const sold = new Set(leads.flatMap(({ _id, status }) => (status === 'ACCEPTED' ? _id : [])));
    const acknowledged = posted.flatMap(({ answer }) => answer?.data?.id ?? []);
    expect(acknowledged.length).toBeGreaterThan(LEADS / 3);
    expect(acknowledged.filter((id) => !sold.has(id))).toEqual([]);
  };
  const received = (path: string) => buyer.requests.filter((request) => request.path === path);
  const midway = (path: string) =>
    waitFor(() => received(path).length >= LEADS / 2, {
      message: 'half of the leads is with the buyer',
    });

  describe('when it is killed', () => {
    let honouring: Lost;
    let plain: Lost;

    beforeAll(async () => {
      const scenes = await Promise.all([
        sceneWith({ honours_idempotency_key: true }, ['killed', 'killed-next']),
        sceneWith({ honours_idempotency_key: false }, ['once', 'once-next']),
      ]);
      honouring = begin(scenes[0]);
      plain = begin(scenes[1]);
      await Promise.all([midway('/killed'), midway('/once')]);
      worker.kill('SIGKILL');
      expect(received('/killed').length).toBeLessThan(LEADS);
      worker = await bed.spawn('worker');
    }, 60_000);

    it('every acknowledged lead is sold exactly once, after a re-send under the same key', async () => {
      const posted = await end(honouring);
      await expectSold(honouring, posted);
      expect(received('/killed').some(({ time }) => time > 1)).toBe(true);
    }, 60_000);

    it('a lead that was sent to a buyer without idempotency is held, and never sent again', async () => {
      const { scene } = plain;
      const posted = await end(plain);
      expect(await findLies(scene, posted)).toEqual([]);
      const sent = [...received('/once'), ...received('/once-next')];
      expect(sent.filter(({ time }) => time > 1)).toEqual([]);
      const unknown = (await rowsOf(scene)).filter(({ state }) => state === 'unknown');
      expect(unknown.length).toBeGreaterThan(0);
      const open = (await leadsOf(scene)).filter(({ status }) => status === 'PENDING');
      expect(open.map(({ _id }) => _id).sort()).toEqual(unknown.map((row) => row.lead_id).sort());
    }, 60_000);
  });

  it('stops it for 8 s: its leads are taken over, and nothing is doubled when it comes back', async () => {
    const second = await bed.spawn('worker');
    const lost = begin(
      await sceneWith({ honours_idempotency_key: true }, ['stopped', 'stopped-next']),
    );
    await midway('/stopped');
    worker.kill('SIGSTOP');
    await delay(8_000);
    worker.kill('SIGCONT');
    const posted = await end(lost);
    await expectSold(lost, posted);
    expect(worker.child.exitCode).toBeNull();
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
  }, 60_000);
});
