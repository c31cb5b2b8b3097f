/**
 * Records the histories of test/fixtures/histories anew, on running servers:
 *
 *   npm run build
 *   TEST_MONGODB_URI='mongodb://127.0.0.1:27017/?replicaSet=rs' TEST_TEMPORAL_ADDRESS=127.0.0.1:7233 \
 *     node dist/test/workflows/record.js
 *
 * Record them when a workflow has changed on purpose and no run of the old version can still be open.
 * Until then the old histories must replay: they represent the open runs that a new worker finds.
 */
import type { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import { reconcile as repairStored } from '../../src/app/reconcile.js';
import type { reconcile } from '../../workflows/index.js';
import { openWorkers } from '../../src/app/workers.js';
import type { Service } from '../../src/app/service.js';
import { createExpiryStarter } from '../../src/platform/temporal/expiryStarter.js';
import { destinationId, outcomeExpiryId, pingExpiryId } from '../../src/platform/temporal/names.js';
import { createDeliveryWorker, createLeadsWorker } from '../../src/app/temporalWorkers.js';
import { createAccount, type AccountSpec, type TestAccount } from '../support/account.js';
import { startFakeBuyer, YES, type Behavior, type FakeBuyer } from '../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf, type Supplier } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { aChange, aSoldLead } from '../outcomes/changes.js';
import { aLead, aRow } from '../support/storedRows.js';
import { anAutomation } from '../automations/anAutomation.js';
import { aPing } from '../support/pingBuilders.js';
import { writeHistory, type HistoryName } from './histories.js';

const BUSY: Behavior = { status: 503, headers: { 'retry-after': '2' } };

class Recorder {
  /** When set, the next call of the fast lane fails. */
  failNext = false;
  private readonly workers: Worker[] = [];
  private runs: Promise<void>[] = [];
  private connection: NativeConnection | null = null;

  constructor(
    private readonly bed: ServiceBed,
    private readonly service: Service & { url: string },
    private readonly buyer: FakeBuyer,
  ) {}

  /** Workers of the recorder's own, so that a call can be made to fail. */
  async startWorkers(): Promise<void> {
    const { deps } = this.service;
    const activities = createActivities(deps);
    const { connection } = await openWorkers(this.bed.stack.temporalAddress, deps.log);
    this.connection = connection;
    const options = {
      ...deps,
      connection,
      activities: {
        ...activities,
        reconcile: () => repairStored(deps),
        processLeads: (input: { leadIds: string[] }) => {
          if (!this.failNext) return activities.processLeads(input);
          this.failNext = false;
          throw new Error('the database is away');
        },
      },
    };
    this.workers.push(await createLeadsWorker(options), await createDeliveryWorker(options));
    this.runs = this.workers.map((worker) => worker.run());
  }

  async stop(): Promise<void> {
    this.workers.forEach((worker) => worker.shutdown());
    await Promise.all(this.runs);
    await this.connection?.close();
  }

  async account(
    delivery: Partial<AccountSpec['buyers'][string]['delivery']> = {},
    campaign: AccountSpec['campaign'] = {},
  ): Promise<{ account: TestAccount; supplier: Supplier }> {
    const account = await createAccount(this.bed, {
      campaign,
      buyers: { only: { delivery: { url: this.buyer.url, ...delivery } } },
    });
    return { account, supplier: supplierOf(this.service.url, account) };
  }

  /** Waits until the workflow has ended and keeps its history. */
  async keep(name: HistoryName, workflowId: string): Promise<void> {
    const handle = this.service.deps.client.workflow.getHandle(workflowId);
    await handle.result();
    await writeHistory(name, await handle.fetchHistory());
    process.stdout.write(`${name}: ${workflowId}\n`);
  }

  /** The workflow that handled the lead. */
  intakeOf(leadId = ''): Promise<string> {
    return this.found(`LeadId = "${leadId}"`);
  }

  /** The workflow that applied a change of the lead. */
  recordingOf(leadId: string): Promise<string> {
    return this.found(`LeadId = "${leadId}" AND WorkflowType = "recordOutcomes"`);
  }

  private async found(query: string): Promise<string> {
    let found = '';
    await waitFor(
      async () => {
        for await (const { workflowId } of this.service.deps.client.workflow.list({ query }))
          found = workflowId;
        return found !== '';
      },
      { message: `the workflow of ${query} is listed` },
    );
    return found;
  }

  async intakes(): Promise<void> {
    this.buyer.behave(() => YES);
    const { supplier } = await this.account();
    const lone = await supplier.post();
    await this.keep('intake-one-lead', await this.intakeOf(lone.data?.id));
    // One group in flight: meanwhile the others gather.
    const many = await Promise.all(Array.from({ length: 12 }, () => supplier.post()));
    await this.keep('intake-group', await this.intakeOf(many.at(-1)?.data?.id));

    this.failNext = true;
    await supplier.post();
    const refused = await this.bed.collections.leads.findOne({ status: 'WITHDRAWN' });
    await this.keep('intake-failed-then-retried', await this.intakeOf(refused?._id));
    await supplier.close();

    this.buyer.behave(() => ({ ...YES, delayMs: 1_000 }));
    const slow = await this.account({ timeout_ms: 1_500 }, { answer_within_ms: 200 });
    const pending = await slow.supplier.post();
    await this.keep('intake-settled-later', await this.intakeOf(pending.data?.id));
    await slow.supplier.close();
  }

  async destinations(): Promise<void> {
    this.buyer.behave(({ time }) => (time === 1 ? { status: 503 } : YES));
    const drained = await this.account();
    await drained.supplier.post();
    await this.keep('destination-drained', destinationId(drained.account.buyers.only ?? ''));
    await drained.supplier.close();

    this.buyer.behave(({ time }) => (time === 1 ? BUSY : YES));
    const woken = await this.account();
    await woken.supplier.post();
    const id = woken.account.buyers.only ?? '';
    const { destinations } = this.bed.collections;
    await waitFor(async () => (await destinations.findOne({ _id: id }))?.awake === false, {
      message: 'the drain has looked and rests',
    });
    await woken.supplier.post();
    await this.keep('destination-woken-while-resting', destinationId(id));
    await woken.supplier.close();
  }

  async endpoints(): Promise<void> {
    // Its Retry-After is longer than a drain keeps polling.
    let told = 0;
    this.buyer.behave(({ path }) => (path === '/told' && ++told === 1 ? BUSY : YES));
    const { account, supplier } = await this.account();
    const automation = anAutomation({
      org_id: account.orgId,
      url: `${this.buyer.url}/told`,
    });
    await this.bed.collections.automations.insertOne(automation);
    await this.bed.collections.eventWants.insertOne({
      _id: account.orgId,
      types: ['lead.accepted'],
    });
    await supplier.post();
    const workflowId = destinationId(automation._id);
    const { client } = this.service.deps;
    await waitFor(
      () =>
        client.workflow
          .getHandle(workflowId)
          .describe()
          .then(
            () => true,
            () => false,
          ),
      { message: 'the drain has begun' },
    );
    await this.keep('endpoint-drained', workflowId);
    await supplier.close();
  }

  async expiry(): Promise<void> {
    const until = new Date(Date.now() + 2_000);
    const { client, queues } = this.service.deps;
    await this.bed.collections.pings.insertMany([aPing({ expires_at: until })]);
    await createExpiryStarter(client, queues).expire(until);
    await this.keep('pings-expired', pingExpiryId(queues, until));
  }

  async outcomes(): Promise<void> {
    const { leads, deliveries } = this.bed.collections;
    const { deps } = this.service;
    const lead = aSoldLead();
    await leads.insertOne(lead);
    const { org_id, campaign_id, lead_id, buyer_id, by, ask, body_hash } = aChange(lead._id);
    const change = { org_id, campaign_id, lead_id, buyer_id, by, ask, body_hash };
    await deps.saleChanges.make(change);
    await this.keep('outcomes-made', await this.recordingOf(lead._id));

    const early = aLead({ run: 'run-1', lease_until: new Date(Date.now() + 60_000) });
    await leads.insertOne(early);
    const answer_by = new Date(Date.now() + 60_000);
    const row = aRow({ lead_id: early._id, answer_by });
    await deliveries.insertOne(row);
    const making = deps.saleChanges.make({ ...change, lead_id: early._id });
    const recording = await this.recordingOf(early._id);
    await waitFor(
      async () => {
        const handle = deps.client.workflow.getHandle(recording);
        const { events } = await handle.fetchHistory();
        return (events ?? []).some(({ timerStartedEventAttributes: timer }) => timer);
      },
      { message: 'it looks again later' },
    );
    await deliveries.updateOne({ _id: row._id }, { $set: { state: 'accepted' } });
    const { sales, price, cost, profit } = aSoldLead();
    await leads.updateOne(
      { _id: early._id },
      { $set: { status: 'ACCEPTED', sales, price, cost, profit, run: null } },
    );
    await making;
    await this.keep('outcomes-of-a-delivery-under-way', recording);

    const until = new Date(Date.now() + 2_000);
    await leads.insertOne(aSoldLead({ outcome_due: until }));
    await createExpiryStarter(deps.client, deps.queues, 'outcome').expire(until);
    await this.keep('outcomes-expired', outcomeExpiryId(deps.queues, until));
  }

  async repair(): Promise<void> {
    const { client, queues } = this.service.deps;
    const workflowId = `reconcile:${queues.leads}`;
    await client.workflow.start<typeof reconcile>('reconcile', {
      workflowId,
      taskQueue: queues.leads,
      args: [{ taskQueue: queues.delivery }],
    });
    await this.keep('reconcile', workflowId);
  }
}

async function main(): Promise<void> {
  const bed = await startServiceBed();
  const buyer = await startFakeBuyer();
  try {
    const service = await bed.start('api', { INTAKE_LANES: '1' });
    const recorder = new Recorder(bed, service, buyer);
    await recorder.startWorkers();
    try {
      await recorder.outcomes();
      await recorder.intakes();
      await recorder.destinations();
      await recorder.endpoints();
      await recorder.expiry();
      await recorder.repair();
    } finally {
      await recorder.stop();
    }
  } finally {
    await bed.stop();
    await buyer.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
  process.exitCode = 1;
});
