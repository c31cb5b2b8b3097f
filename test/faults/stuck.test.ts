/** No test calls `reconcile` here: its schedule does, every second instead of every minute. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import { openWorkers } from '../../src/app/workers.js';
import type { Service } from '../../src/app/service.js';
import { WORKFLOW_BUNDLE } from '../../src/platform/temporal/bundle.js';
import { destinationId } from '../../src/platform/temporal/names.js';
import { ensureRepair } from '../../src/platform/temporal/repairSchedule.js';
import { createAccount } from '../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { DOWN } from '../support/fakeBuyer.js';

describe('a workflow that cannot continue', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let api: Service & { url: string };
  let isDown = true;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => (isDown ? DOWN : YES));
    await bed.start('delivery');
    api = await bed.start('api');
  }, 60_000);
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  const schedule = () => api.deps.client.schedule.getHandle(api.deps.queues.reconcile);
  const hurry = () =>
    schedule().update((now) => ({ ...now, spec: { intervals: [{ every: '1s' }] } }));
  const statusOf = async (id: string) => (await bed.collections.leads.findOne({ _id: id }))?.status;
  const openAccount = (path: string) =>
    createAccount(bed, { buyers: { only: { delivery: { url: `${buyer.url}${path}` } } } });

  /** A version whose drains call an activity that no other version knows. */
  const otherVersion = async () => {
    const { deps } = api;
    const code = await readFile(WORKFLOW_BUNDLE, 'utf8');
    const { processLeads, applyChanges } = createActivities(deps);
    const { connection } = await openWorkers(bed.stack.temporalAddress, deps.log);
    const worker = await Worker.create({
      connection,
      namespace: deps.namespace,
      taskQueue: deps.queues.leads,
      workflowBundle: { code: code.replaceAll('drainDestination', 'drainElsewhere') },
      activities: { processLeads, applyChanges },
    });
    const running = worker.run();
    return async () => {
      worker.shutdown();
      await running;
      await connection.close();
    };
  };
  const hasFailedTask = async (workflowId: string): Promise<boolean> => {
    const { events } = await api.deps.client.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).some((event) => event.workflowTaskFailedEventAttributes);
  };
  /** As if minutes had passed since the buyer was last tried. */
  const passMinutes = async (leadId: string, buyerId: string): Promise<void> => {
    const { deliveries, destinations } = bed.collections;
    await deliveries.updateOne(
      { lead_id: leadId, state: 'parked' },
      { $set: { due_at: ago(180_000) } },
    );
    await destinations.updateOne(
      { _id: buyerId },
      {
        $set: { open_until: null, retry_at: null, failures: 0 },
        $max: { awake_at: ago(180_000) },
        $unset: { last_drain_at: 1 },
      },
    );
  };

  it('is ended and restarted when it is a drain with a history of other code, and its lead is sold once', async () => {
    const stopOther = await otherVersion();
    const account = await openAccount('/drain');
    const buyerId = account.buyers.only ?? '';
    const supplier = supplierOf(api.url, account);
    const { data } = await supplier.post();
    const leadId = data?.id ?? '';
    await waitFor(
      async () => {
        const { raw } = await api.deps.client.workflow
          .getHandle(destinationId(buyerId))
          .describe()
          .catch(() => ({ raw: null }));
        return (raw?.pendingActivities ?? []).length > 0;
      },
      { message: 'its drain has called what nobody knows' },
    );
    await stopOther();
    await bed.start('worker');
    isDown = false;
    await api.deps.starter.wake(buyerId, account.orgId, true);
    await waitFor(() => hasFailedTask(destinationId(buyerId)), {
      message: 'this version cannot go on',
    });
    const stuck = await api.deps.client.workflow.getHandle(destinationId(buyerId)).describe();
    expect(await statusOf(leadId)).toBe('PENDING');
    await passMinutes(leadId, buyerId);
    await hurry();
    await waitFor(async () => (await statusOf(leadId)) === 'ACCEPTED', {
      message: 'it is sold',
      timeoutMs: 30_000,
    });
    expect(buyer.accepted('/drain')).toHaveLength(1);
    const before = api.deps.client.workflow.getHandle(stuck.workflowId, stuck.runId);
    expect((await before.describe()).status.name).toBe('TERMINATED');
    await supplier.close();
  }, 60_000);

  it('is ended when it is a run of reconcile, and the next run repairs what waits', async () => {
    const { client, queues, log } = api.deps;
    isDown = true;
    const account = await openAccount('/reconcile');
    const buyerId = account.buyers.only ?? '';
    const supplier = supplierOf(api.url, account);
    await schedule().delete();
    // Begun by a version without a time limit, and a later version cannot continue it.
    await client.schedule.create({
      scheduleId: queues.reconcile,
      spec: { intervals: [{ every: '1s' }] },
      policies: { overlap: 'SKIP', catchupWindow: '1m' },
      action: {
        type: 'startWorkflow',
        workflowType: 'reconcileOfAnotherVersion',
        taskQueue: queues.leads,
        args: [{ taskQueue: queues.delivery }],
        workflowId: queues.reconcile,
      },
    });
    const { data } = await supplier.post();
    const leadId = data?.id ?? '';
    await waitFor(
      async () => {
        const rests = { _id: buyerId, awake: false, last_drain_at: { $exists: true } };
        return (await bed.collections.destinations.countDocuments(rests)) > 0;
      },
      { message: 'it waits, and its drain rests' },
    );
    await client.workflow.getHandle(destinationId(buyerId)).terminate();
    isDown = false;
    await passMinutes(leadId, buyerId);
    await waitFor(async () => (await schedule().describe()).info.numActionsSkippedOverlap >= 2, {
      message: 'runs are skipped, because one is open for ever',
    });
    expect(await statusOf(leadId)).toBe('PENDING');

    await ensureRepair({ client, queues, log }, Date.now() + 10_000, 1_000);
    await hurry();
    await waitFor(async () => (await statusOf(leadId)) === 'ACCEPTED', {
      message: 'it is sold',
      timeoutMs: 30_000,
    });
    expect(buyer.accepted('/reconcile')).toHaveLength(1);
    await supplier.close();
  }, 60_000);
});
