/**
 * The store of Temporal is deleted, and all work in it is lost. No test calls `reconcile` here: the processes continue,
 * create its schedule anew, and it starts at once.
 */
import { webhookSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WorkflowNotFoundError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CampaignInput } from '../../src/account/campaigns/campaigns.js';
import { readConfig } from '../../src/app/config.js';
import type { EventType } from '../../src/events/rules/events.js';
import type { Service } from '../../src/app/service.js';
import { silentReporter } from '../support/silentReporter.js';
import { destinationId } from '../../src/platform/temporal/names.js';
import { startServers, type Servers } from '../chaos/cluster/servers.js';
import { anAutomation } from '../automations/anAutomation.js';
import { expectExact } from '../outcomes/changes.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { type Behavior, DOWN, type FakeBuyer, startFakeBuyer, YES } from '../support/fakeBuyer.js';
import { send, type HttpReply } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson, supplierOf, type Supplier } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { findLies, isSettled, postMany, type Posted, type Scene } from './truth.js';

/** In place of every minute. */
const LOOKS_EVERY_MS = 1_000;
/** Older than anything that `reconcile` still leaves to its own process. */
const LONG_MS = 180_000;

describe('a store of Temporal that is deleted', () => {
  const home = mkdtempSync(join(tmpdir(), 'leadwire-lost-'));
  const behaviours = new Map<string, Behavior>();
  const suppliers: Supplier[] = [];
  let servers: Servers;
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let api: Service & { url: string };

  beforeAll(async () => {
    const { cacheDir } = readConfig(process.env);
    servers = await startServers({ home, cacheDir, reporter: silentReporter });
    bed = await startServiceBed(servers, true);
    buyer = await startFakeBuyer(({ path }) => behaviours.get(path) ?? YES);
    const options = { looksEveryMs: LOOKS_EVERY_MS };
    await Promise.all([bed.start('worker', {}, options), bed.start('delivery', {}, options)]);
    api = await bed.start('api', {}, options);
  }, 90_000);
  afterAll(async () => {
    await Promise.all(suppliers.map((supplier) => supplier.close()));
    servers.temporal.signal('SIGCONT');
    await bed.stop();
    await buyer.stop();
    await servers.stop();
    rmSync(home, { recursive: true, force: true });
  }, 60_000);

  /** Each part has an account of its own, so that none is affected by another. */
  const open = async (name: string, campaign: Partial<CampaignInput> = {}) => {
    const account = await createAccount(bed, {
      campaign,
      buyers: { [name]: { delivery: { url: `${buyer.url}/${name}` } } },
    });
    const supplier = supplierOf(api.url, account);
    suppliers.push(supplier);
    const scene: Scene = { bed, account, buyer };
    return { account, supplier, scene, buyerId: account.buyers[name] ?? '' };
  };
  /** Sends events of this type of the account to `path`. */
  const automate = async ({ orgId }: TestAccount, trigger: EventType, path: string) => {
    const automation = anAutomation({ org_id: orgId, trigger, url: `${buyer.url}${path}` });
    await bed.collections.automations.insertOne(automation);
    await bed.collections.eventWants.insertOne({ _id: orgId, types: [trigger] });
    return automation._id;
  };
  const post = (path: string, headers: Record<string, string>, body: object): Promise<HttpReply> =>
    send(`${api.url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });

  /** Leads whose buyer is down. */
  const leadsThatWait = async () => {
    const { supplier, scene, buyerId } = await open('waiting');
    behaviours.set('/waiting', DOWN);
    const posted = await postMany(supplier, 6, 20);
    expect(posted.map(({ answer }) => answer?.data?.delivery)).toEqual(Array(6).fill('pending'));
    return { scene, posted, buyerId, ids: posted.map(({ answer }) => answer?.data?.id ?? '') };
  };
  const anOpenPing = async () => {
    const { account } = await open('pinged', { routing_method: 'PING_POST' });
    await automate(account, 'ping.expired', '/expired');
    const [supplier] = account.suppliers;
    const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
    const { json } = await post('/api/v1/ping', { 'x-api-key': supplier?.key ?? '' }, ids);
    expect(json).toMatchObject({ accepted: true });
    const [ping] = await bed.collections.pings.find({ org_id: account.orgId }).toArray();
    if (!ping) throw new Error('the ping is not stored');
    return ping._id;
  };
  /** A sold lead, an automation whose event cannot be delivered now, and the outcome that its buyer will report. */
  const aSaleToTellOf = async () => {
    const { account, supplier, buyerId } = await open('sold');
    behaviours.set('/told', DOWN);
    const automationId = await automate(account, 'lead.accepted', '/told');
    const { data } = await supplier.post();
    expect(data).toMatchObject({ delivery: 'delivered' });
    const doc = await bed.collections.buyers.findOne({ _id: buyerId });
    const secret = doc ? bed.keyring.open(doc.webhook_secret, webhookSecretPlace(doc._id)) : '';
    const said = { outcome: 'converted', revenue: 33, idempotency_key: 'deal' };
    const say = () =>
      post(
        '/api/webhooks/buyer-outcome',
        { 'x-buyer-secret': secret },
        { lead_id: data?.id, ...said },
      );
    return { automationId, leadId: data?.id ?? '', say };
  };
  /** Its drain has tried, and is asleep. */
  const rests = (id: string) =>
    waitFor(
      async () => {
        const [doc, isRunning] = await Promise.all([
          bed.collections.destinations.findOne({ _id: id, awake: false }),
          runOf(id),
        ]);
        return doc?.last_drain_at !== undefined && isRunning !== null;
      },
      { message: `the drain of ${id} rests` },
    );
  const runOf = (id: string, runId?: string) =>
    api.deps.client.workflow
      .getHandle(destinationId(id), runId)
      .describe()
      .then(
        (run) => run.runId,
        (error: unknown) => {
          if (error instanceof WorkflowNotFoundError) return null;
          throw error;
        },
      );
  /** As if Temporal had been away for minutes. */
  const passMinutes = async () => {
    const { deliveries, destinations, eventDeliveries, outcomes, pings } = bed.collections;
    const before = ago(LONG_MS);
    await Promise.all([
      deliveries.updateMany({ state: 'parked' }, { $set: { due_at: before } }),
      eventDeliveries.updateMany({ state: 'waiting' }, { $set: { due_at: before } }),
      outcomes.updateMany({ state: 'open' }, { $set: { received_at: before } }),
      pings.updateMany({ state: 'open' }, { $set: { expires_at: before } }),
      destinations.updateMany(
        {},
        {
          $set: { open_until: null, retry_at: null, awake_at: before },
          $unset: { last_drain_at: 1 },
        },
      ),
    ]);
  };
  /** Posts one lead until it is accepted, and returns all answers. */
  const insist = async (supplier: Supplier): Promise<Posted[]> => {
    const person = aPerson();
    const said: Posted[] = [];
    for (;;) {
      const answer = await supplier.post(person);
      said.push({ person, answer });
      if (answer.status !== 503) return said;
      await delay(100);
    }
  };

  it('loses no work: leads, a ping, an outcome and an event are each handled once', async () => {
    const [waiting, pingId, sale, meanwhile] = await Promise.all([
      leadsThatWait(),
      anOpenPing(),
      aSaleToTellOf(),
      open('meanwhile'),
    ]);
    await Promise.all([rests(waiting.buyerId), rests(sale.automationId)]);
    const drains = [waiting.buyerId, sale.automationId];
    const runs = await Promise.all(drains.map((id) => runOf(id)));

    servers.temporal.signal('SIGSTOP');
    const insisting = Promise.all([1, 2, 3].map(() => insist(meanwhile.supplier)));
    expect(await sale.say()).toMatchObject({ status: 504, json: { error: 'outcome_unknown' } });
    const { pings, events, eventDeliveries, outcomes } = bed.collections;
    expect(await outcomes.find().toArray()).toMatchObject([{ state: 'open' }]);
    await passMinutes();
    expect(buyer.accepted('/waiting')).toEqual([]);
    behaviours.clear();
    const deletedAt = Date.now();
    expect(servers.deleteTemporal()).toBe(true);
    await servers.temporal.ready();
    for (const [n, id] of drains.entries()) expect(await runOf(id, runs[n] ?? '')).toBeNull();

    await waitFor(async () => Number(await api.deps.repairs.lastCompleted()) > deletedAt, {
      message: 'reconcile is completed',
      timeoutMs: 30_000,
    });
    await waitFor(() => isSettled(waiting.scene), { message: 'the waiting leads are decided' });
    expect(buyer.accepted('/waiting').toSorted()).toEqual(waiting.ids.toSorted());
    expect(await findLies(waiting.scene, waiting.posted)).toEqual([]);

    expect(await pings.findOne({ _id: pingId })).toMatchObject({ state: 'expired' });
    const expired = await events.find({ type: 'ping.expired' }).toArray();
    expect(expired).toMatchObject([{ data: { ping_ids: [pingId], count: 1 } }]);
    await waitFor(
      async () => (await eventDeliveries.countDocuments({ state: 'delivered' })) === 2,
      { message: 'both events are delivered' },
    );
    expect(await eventDeliveries.countDocuments()).toBe(2);
    for (const path of ['/told', '/expired']) expect(buyer.accepted(path)).toHaveLength(1);

    await waitFor(async () => (await outcomes.countDocuments({ state: 'made' })) === 1, {
      message: 'the outcome is made',
    });
    const { lead, changes } = await expectExact(sale.leadId, bed.collections);
    expect(lead).toMatchObject({ outcome: 'converted', price: 33_000_000 });
    expect(changes).toHaveLength(1);
    expect(await sale.say()).toMatchObject({ status: 200, json: { data: { replayed: true } } });

    const said = await insisting;
    for (const answers of said) {
      const statuses = answers.map(({ answer }) => answer?.status);
      expect(statuses.slice(0, -1)).toContain(503);
      expect(statuses.at(-1)).toBe(201);
    }
    await waitFor(() => isSettled(meanwhile.scene), {
      message: 'what was taken meanwhile is decided',
    });
    const last = said.flatMap((answers) => answers.slice(-1));
    expect(await findLies(meanwhile.scene, last)).toEqual([]);
  }, 60_000);
});
