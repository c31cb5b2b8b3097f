/** Alerts on a database: each is told once, whatever runs at the same time and wherever it stops. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertDeps } from '../../src/alerts/deps.js';
import { lookOut } from '../../src/alerts/lookOut.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import type { Plan } from '../../src/account/rules/plan.js';
import { publishEvents } from '../../src/automations/publishEvents.js';
import { emptyCapState } from '../../src/routing/rules/caps.js';
import { buyerCap, createCapStore } from '../../src/routing/store/caps.js';
import { anAutomation } from '../automations/anAutomation.js';
import { aBuyer, aPlan, aSupplier } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { TEST_ZONE } from '../support/org.js';
import { aLead, aRow } from '../support/storedRows.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Nine in the evening of the 20th in New York: a day before that of UTC. */
const START = new Date('2026-11-21T02:00:00Z');

let database: TestDatabase;
let now: Date;
let deps: AlertDeps;

beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { collections } = database;
  const used = ['alerts', 'alertPasses', 'events', 'eventDeliveries', 'automations'] as const;
  const read = ['campaigns', 'plans', 'caps', 'leads', 'rollups'] as const;
  const queues = ['buyers', 'deliveries', 'destinations'] as const;
  await Promise.all([...used, ...read, ...queues].map((name) => collections[name].deleteMany({})));
  now = START;
  deps = {
    collections,
    plans: createPlanStore(collections.plans),
    caps: createCapStore(collections.caps),
    clock: { now: () => now, monotonic: () => performance.now() },
    publishEvents: (events) =>
      publishEvents(events, { collections, clock: { now: () => now }, wakeAutomations: () => {} }),
    stopping: () => false,
  };
});

const later = (ms: number): void => void (now = new Date(Number(now) + ms));
const ago = (ms: number): Date => new Date(Number(now) - ms);

async function openCampaign(overrides: Partial<Plan> = {}): Promise<Plan> {
  const { campaigns, plans } = database.collections;
  const plan = aPlan({
    _id: 'campaign:1',
    org_id: 'org',
    campaign_id: 'campaign',
    version: 1,
    name: 'Solar CA',
    time_zone: TEST_ZONE,
    buyers: [aBuyer({ buyer_id: 'buyer', name: 'Acme', caps: { daily_cap: 50 } })],
    suppliers: { supplier: aSupplier({ supplier_id: 'supplier', name: 'Web' }) },
    ...overrides,
  });
  await plans.insertOne(plan);
  const campaign = { _id: 'campaign', org_id: 'org', status: 'ACTIVE', plan_version: 1 };
  await campaigns.insertOne(campaign as never);
  return plan;
}

const useCap = (count: number, day: string): Promise<unknown> =>
  database.collections.caps.updateOne(
    { _id: buyerCap('campaign', 'buyer') },
    { $set: { ...emptyCapState(), held: [], day: { key: day, count, amount: 0 } } },
    { upsert: true },
  );

/** What was told so far, oldest first. */
const told = async (): Promise<{ type: string; data: object }[]> => {
  const events = await database.collections.events.find().sort({ created_at: 1 }).toArray();
  return events.map(({ type, data }) => ({ type, data }));
};
const types = async () => (await told()).map(({ type }) => type);

describe('a cap', () => {
  it('is told once in its window, by many processes at once, and again in the next', async () => {
    await openCampaign();
    await useCap(39, '2026-11-20');
    await lookOut(deps);
    expect(await told()).toEqual([]);
    await useCap(40, '2026-11-20');
    await Promise.all(Array.from({ length: 5 }, () => lookOut(deps)));
    await lookOut(deps);
    expect(await told()).toEqual([
      {
        type: 'cap.nearly_full',
        data: {
          campaign_id: 'campaign',
          campaign_name: 'Solar CA',
          buyer_id: 'buyer',
          buyer_name: 'Acme',
          supplier_id: null,
          supplier_name: null,
          window: 'day',
          of: 'count',
          limit: 50,
          used: 40,
          resets_at: '2026-11-21T05:00:00.000Z',
        },
      },
    ]);
    later(DAY_MS);
    await useCap(45, '2026-11-21');
    await lookOut(deps);
    expect(await types()).toEqual(['cap.nearly_full', 'cap.nearly_full']);
    // Ids go into actions, headers of webhooks and names of mails.
    for (const { _id } of await database.collections.events.find().toArray())
      expect(_id).toMatch(/^evt_[\w-]{1,96}$/);
  });

  it('goes to the automations that ask for it, once, wherever the process that found it dies', async () => {
    const { automations, eventDeliveries } = database.collections;
    const own = { trigger: 'cap.nearly_full' as const, campaign_id: 'campaign' };
    await automations.insertMany([
      anAutomation({ _id: 'a', name: 'a', ...own }),
      anAutomation({ _id: 'b', name: 'b', ...own, campaign_id: 'another' }),
      anAutomation({ _id: 'c', name: 'c', trigger: 'queue.stuck' }),
    ]);
    await openCampaign();
    await useCap(50, '2026-11-20');
    const dying = { ...deps, publishEvents: () => Promise.reject(new Error('it dies')) };
    await expect(lookOut(dying)).rejects.toThrow('it dies');
    await lookOut(deps);
    await lookOut(deps);
    const rows = await eventDeliveries.find().toArray();
    expect(rows.map(({ automation_id, type }) => [automation_id, type])).toEqual([
      ['a', 'cap.nearly_full'],
    ]);
    expect(await types()).toEqual(['cap.nearly_full']);
  });
});

describe('a supplier', () => {
  const post = (at: Date, count: number) =>
    database.collections.leads.insertMany(
      Array.from({ length: count }, (_, n) =>
        aLead({
          _id: `${Number(at)}-${n}`,
          org_id: 'org',
          campaign_id: 'campaign',
          supplier_id: 'supplier',
          is_test: false,
          created_at: at,
        }),
      ),
    );

  it('that usually sends at this hour is told as silent once, and as resumed at its next lead', async () => {
    await openCampaign();
    for (const weeks of [1, 2, 3]) await post(ago(weeks * 7 * DAY_MS), 5);
    await post(ago(2 * HOUR_MS), 1);
    await lookOut(deps);
    expect(await told()).toEqual([]);
    later(2 * HOUR_MS);
    // Three of the four weeks had five leads in these three hours.
    await lookOut(deps);
    later(HOUR_MS);
    await lookOut(deps);
    expect(await told()).toEqual([
      {
        type: 'supplier.silent',
        data: {
          campaign_id: 'campaign',
          campaign_name: 'Solar CA',
          supplier_id: 'supplier',
          supplier_name: 'Web',
          last_lead_at: new Date(Number(START) - 2 * HOUR_MS).toISOString(),
          hours: 3,
        },
      },
    ]);
    await post(now, 1);
    later(15 * MINUTE_MS);
    await lookOut(deps);
    await lookOut(deps);
    expect(await types()).toEqual(['supplier.silent', 'supplier.resumed']);
  });

  it('that sends nothing at this hour of the week is not silent', async () => {
    await openCampaign();
    for (const weeks of [1, 2, 3, 4]) await post(ago(weeks * 7 * DAY_MS + 12 * HOUR_MS), 4);
    await post(ago(12 * HOUR_MS), 1);
    await lookOut(deps);
    expect(await told()).toEqual([]);
  });
});

describe('a queue', () => {
  const waits = (due_at: Date) =>
    database.collections.deliveries.insertOne(
      aRow({ _id: 'lead:1', org_id: 'org', buyer_id: 'buyer', state: 'parked', due_at }),
    );
  const known = (values: object) =>
    database.collections.destinations.updateOne(
      { _id: 'buyer' },
      { $set: { org_id: 'org', ...values } },
      { upsert: true },
    );
  beforeEach(async () => {
    const buyer = { _id: 'buyer', org_id: 'org', name: 'Acme' };
    await database.collections.buyers.insertOne(buyer as never);
  });

  it('is stuck when a lead has been due for an hour, and cleared when it is sent', async () => {
    await waits(ago(59 * MINUTE_MS));
    await lookOut(deps);
    expect(await told()).toEqual([]);
    later(2 * MINUTE_MS);
    await Promise.all([lookOut(deps), lookOut(deps)]);
    later(HOUR_MS);
    await lookOut(deps);
    const since = new Date(Number(START) - 59 * MINUTE_MS).toISOString();
    const of = { buyer_id: 'buyer', buyer_name: 'Acme' };
    expect(await told()).toEqual([
      { type: 'queue.stuck', data: { ...of, reason: 'overdue', since } },
    ]);
    await database.collections.deliveries.deleteMany({});
    await lookOut(deps);
    await lookOut(deps);
    expect((await told()).at(-1)).toMatchObject({
      type: 'queue.cleared',
      data: { ...of, reason: 'cleared' },
    });
    expect(await types()).toEqual(['queue.stuck', 'queue.cleared']);
  });

  it('is stuck when its breaker has been open for half an hour, and told once an hour at most', async () => {
    await known({ paused_at: ago(31 * MINUTE_MS) });
    for (let round = 0; round < 6; round += 1) {
      await lookOut(deps);
      await known({ paused_at: null });
      later(MINUTE_MS);
      await lookOut(deps);
      await known({ paused_at: ago(31 * MINUTE_MS) });
      later(14 * MINUTE_MS);
    }
    expect(await types()).toEqual(['queue.stuck', 'queue.cleared', 'queue.stuck', 'queue.cleared']);
  });

  it('that an operator holds, or that waits for a later time, is not', async () => {
    await waits(ago(3 * HOUR_MS));
    await known({ held: true });
    await lookOut(deps);
    await known({ held: false });
    await database.collections.deliveries.updateMany({}, { $set: { due_at: ago(-HOUR_MS) } });
    await lookOut(deps);
    expect(await told()).toEqual([]);
  });
});

describe('the acceptance of a campaign', () => {
  const day = (name: string, decided: number, sold: number) =>
    database.collections.rollups.updateOne(
      { _id: `campaign:${name}:all` },
      {
        $set: {
          org_id: 'org',
          campaign_id: 'campaign',
          facet: 'all',
          day: name,
          by_status: { pending: { leads: sold }, UNMATCHED: { leads: decided - sold } } as never,
        },
      },
      { upsert: true },
    );

  it('is told once a day of the account when it drops, and when it is back', async () => {
    await openCampaign();
    await day('2026-11-12', 400, 200);
    // The day of UTC has begun; the account's has not.
    await day('2026-11-20', 100, 10);
    await day('2026-11-21', 100, 50);
    await lookOut(deps);
    later(15 * MINUTE_MS);
    await lookOut(deps);
    expect(await told()).toEqual([
      {
        type: 'acceptance.dropped',
        data: {
          campaign_id: 'campaign',
          campaign_name: 'Solar CA',
          day: '2026-11-20',
          decided: 100,
          sold: 10,
          rate: 0.1,
          usual_rate: 0.5,
        },
      },
    ]);
    await day('2026-11-20', 300, 150);
    later(15 * MINUTE_MS);
    await lookOut(deps);
    await day('2026-11-20', 900, 150);
    later(15 * MINUTE_MS);
    await lookOut(deps);
    expect(await types()).toEqual(['acceptance.dropped', 'acceptance.recovered']);
  });
});
