import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import type { Service } from '../../src/app/service.js';
import { silentReporter } from '../support/silentReporter.js';
import { startStack, type Stack } from '../../src/embedded/stack.js';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { stopProcess } from '../support/stopProcess.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { findLies, isSettled, leadsOf, postMany, repairUnstarted, type Scene } from './truth.js';

describe.each([
  { roles: ['all'] as const, layout: 'one process' },
  { roles: ['worker', 'delivery', 'api'] as const, layout: 'a role each' },
])('a server that stops answering, asked by $layout', ({ roles }) => {
  const home = mkdtempSync(join(tmpdir(), 'leadwire-outage-'));
  let stack: Stack;
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let service: Service & { url: string };
  let isDown = false;

  beforeAll(async () => {
    const { cacheDir, mongodPath, temporalPath } = readConfig(process.env);
    stack = await startStack({
      home,
      cacheDir,
      mongodPath,
      temporalPath,
      temporalNamespace: 'default',
      reporter: silentReporter,
      ports: 'any',
    });
    bed = await startServiceBed(stack);
    buyer = await startFakeBuyer(() => (isDown ? { status: 503 } : { ...YES, delayMs: 20 }), {
      honorsKey: () => true,
    });
    for (const role of roles) service = await bed.start(role);
  }, 90_000);
  type Server = 'mongod' | 'temporal';
  const pidOf = (name: Server): number => {
    const pid = stack.processes.find((process) => process.name === name)?.pid;
    if (pid === undefined) throw new Error(`${name} does not run`);
    return pid;
  };
  const stop = (name: Server) => stopProcess(pidOf(name));
  const goOn = (name: Server) => process.kill(pidOf(name), 'SIGCONT');
  afterEach(() => {
    goOn('mongod');
    goOn('temporal');
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  const sceneWith = async (name: string): Promise<Scene> => {
    const account = await createAccount(bed, {
      buyers: {
        [name]: { delivery: { url: `${buyer.url}/${name}`, honours_idempotency_key: true } },
      },
    });
    return { bed, account, buyer };
  };
  const readiness = async () => {
    const reply = await fetch(`${service.url}/readyz`);
    return { status: reply.status, body: await reply.json() };
  };
  const repair = (scene: Scene) => repairUnstarted(scene, service.deps);

  it.each(['temporal', 'mongod'] as const)(
    'answers a definitive 503 in time when it is %s, and accepts leads again when it is back',
    async (name) => {
      const scene = await sceneWith(name);
      const supplier = supplierOf(service.url, scene.account);
      expect(await supplier.post()).toMatchObject({ data: { delivery: 'delivered' } });
      const before = postMany(supplier, 40, 5);
      await waitFor(() => buyer.accepted(`/${name}`).length >= 10, {
        message: 'some leads are sold',
      });
      await stop(name);
      const during = await postMany(supplier, 5, 10);
      for (const { answer } of during) {
        expect(answer).toMatchObject({
          status: 503,
          headers: { 'retry-after': expect.any(String) },
        });
        expect(answer?.ms).toBeLessThan(5_000);
      }
      const dependency = name === 'mongod' ? 'mongodb' : 'temporal';
      expect(await readiness()).toMatchObject({
        status: 503,
        body: { dependencies: { [dependency]: { state: 'error' } } },
      });
      const posted = [...(await before), ...during];
      // Those in flight when the server stopped too.
      for (const { answer } of posted) expect(answer?.ms).toBeLessThan(5_000);
      if (name === 'temporal') {
        // Stored leads are withdrawn; leads refused earlier were not stored.
        const leads = await leadsOf(scene);
        const emails = new Set(during.map(({ person }) => person.email));
        const left = leads.filter(
          ({ fields, status }) => emails.has(String(fields.email)) && status !== 'WITHDRAWN',
        );
        expect(left).toEqual([]);
      }
      goOn(name);
      await waitFor(
        async () => {
          const [after] = await postMany(supplier, 1, 0);
          if (after) posted.push(after);
          return after?.answer?.data?.delivery === 'delivered';
        },
        { message: 'leads are taken again', timeoutMs: 10_000 },
      );
      await waitFor(async () => (await readiness()).status === 200, {
        message: 'it is ready again',
      });
      await supplier.close();
      await repair(scene);
      await waitFor(() => isSettled(scene), {
        message: 'every lead is decided',
        timeoutMs: 20_000,
      });
      expect(await findLies(scene, posted)).toEqual([]);
    },
    90_000,
  );

  it('does not end the drain of a buyer that was down: it continues when Temporal is back', async () => {
    const scene = await sceneWith('waiting');
    const supplier = supplierOf(service.url, scene.account);
    isDown = true;
    const posted = await postMany(supplier, 3, 100);
    expect(posted.map(({ answer }) => answer?.data?.delivery)).toEqual([
      'pending',
      'pending',
      'pending',
    ]);
    await stop('temporal');
    isDown = false;
    await waitFor(async () => (await readiness()).status === 503, {
      message: 'Temporal is missed',
    });
    goOn('temporal');
    await supplier.close();
    await waitFor(() => isSettled(scene), { message: 'every lead is decided', timeoutMs: 30_000 });
    expect(await findLies(scene, posted)).toEqual([]);
    expect(buyer.accepted('/waiting')).toHaveLength(3);
  }, 60_000);
});
