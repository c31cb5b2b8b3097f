import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Service } from '../../src/app/service.js';
import { keepSchedule } from '../../src/app/keepSchedule.js';
import { ensureRepair } from '../../src/platform/temporal/repairSchedule.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { waitFor } from '../support/waitFor.js';

describe('the schedule of reconcile', () => {
  let bed: ServiceBed;
  let service: Service;

  beforeAll(async () => {
    bed = await startServiceBed();
    service = await bed.start();
  });
  afterAll(() => bed.stop());

  const handle = () => service.deps.client.schedule.getHandle(service.deps.queues.reconcile);
  const ensure = () => service.deps.starter.schedule(Date.now() + 10_000);
  const ended = () =>
    handle()
      .delete()
      .catch(() => undefined);
  /** The schedule as a version without revisions created it, with another interval. */
  const makeOld = () => {
    const { queues, client } = service.deps;
    return client.schedule.create({
      scheduleId: queues.reconcile,
      spec: { intervals: [{ every: '1h' }] },
      policies: { overlap: 'ALLOW_ALL', catchupWindow: '1h' },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcile',
        taskQueue: queues.leads,
        args: [{ taskQueue: 'elsewhere' }],
        workflowId: queues.reconcile,
      },
    });
  };

  beforeEach(ended);

  it('exists once, however many processes create it', async () => {
    await Promise.all(Array.from({ length: 3 }, ensure));
    expect((await handle().describe()).spec.intervals).toMatchObject([{ every: 60_000 }]);
  });

  it('is created again when Temporal has lost it, and starts at once', async () => {
    const begun = Date.now();
    await ensure();
    expect((await handle().describe()).action).toMatchObject({ workflowType: 'reconcile' });
    await waitFor(async () => Number(await service.deps.repairs.lastCompleted()) >= begun, {
      message: 'reconcile is completed',
      timeoutMs: 30_000,
    });
  });

  it('is brought up to date where an older version made it, by any number of processes', async () => {
    await makeOld();
    await Promise.all(Array.from({ length: 3 }, ensure));
    const { spec, policies, action } = await handle().describe();
    expect(spec.intervals).toMatchObject([{ every: 60_000 }]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 60_000 });
    expect(action).toMatchObject({
      args: [{ taskQueue: service.deps.queues.delivery }],
      workflowRunTimeout: 240_000,
    });
  });

  it('stays paused when it is brought up to date', async () => {
    await makeOld();
    await handle().pause('ada looks into it');
    await ensure();
    const { state, action } = await handle().describe();
    expect(state).toMatchObject({ paused: true, note: 'ada looks into it' });
    expect(action).toMatchObject({ workflowRunTimeout: 240_000 });
  });

  it('is not changed where a newer version or an operator has written it', async () => {
    await ensure();
    await handle().update(({ action, policies, state }) => ({
      policies,
      state,
      action: { ...action, memo: { revision: 1_000 } },
      spec: { intervals: [{ every: '30s' }] },
    }));
    await ensure();
    const { spec, action } = await handle().describe();
    expect(spec.intervals).toMatchObject([{ every: 30_000 }]);
    expect(action.memo).toEqual({ revision: 1_000 });
  });

  it('does not keep a process from starting when it exists and Temporal does not describe it in time', async () => {
    await ensure();
    const { client, queues } = service.deps;
    const failure = new Error('deadline exceeded');
    const slow = Object.create(client, {
      schedule: {
        value: {
          create: client.schedule.create.bind(client.schedule),
          getHandle: () => ({ describe: () => Promise.reject(failure) }),
        },
      },
    }) as typeof client;
    const warn = jest.fn();
    await ensureRepair({ client: slow, queues, log: { warn } }, Date.now() + 10_000);
    expect(warn).toHaveBeenCalledWith(
      { err: failure },
      'the schedule of reconcile exists, but could not be inspected',
    );
  });

  it('is not checked after the process closes its connection', async () => {
    let answer = (): void => undefined;
    let asked = 0;
    const end = keepSchedule(
      {
        starter: {
          schedule() {
            asked += 1;
            return new Promise((resolve) => (answer = resolve));
          },
        },
        watch: { look: () => Promise.resolve(), warning: () => null },
        log: service.deps.log,
      },
      500,
    );
    await waitFor(() => asked === 1, { message: 'it is looked at' });
    let ended = false;
    const ending = end().then(() => (ended = true));
    await setImmediate();
    expect(ended).toBe(false);
    answer();
    await ending;
    expect(asked).toBe(1);
  });
});
