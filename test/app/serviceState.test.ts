import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readServiceState } from '../../src/app/serviceState.js';
import type { EventDeliveryDoc } from '../../src/automations/store/automationDocs.js';
import { createDestinationStore } from '../../src/deliveries/store/destinations.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { createLabels } from '../../src/platform/metrics/labels.js';
import type { ServiceState } from '../../src/platform/metrics/serviceState.js';
import type { RollupDoc } from '../../src/reports/store/rollupDocs.js';
import { buyerCap, campaignCap, createCapStore } from '../../src/routing/store/caps.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { TEST_ZONE } from '../support/org.js';
import { aRow } from '../support/storedRows.js';
import { keyring } from '../account/values.js';

/** In New York it is the evening of the day before. */
const NOW = new Date('2026-11-22T02:00:00Z');
const TODAY = '2026-11-21';
const ago = (seconds: number): Date => new Date(Number(NOW) - seconds * 1_000);
const clock = { now: () => NOW };

const SUMS = {
  leads: 1,
  sales: 1,
  revenue: 10_500_000,
  cost: 4_000_000,
  conversion_revenue: 0,
  converted: 0,
  not_qualified: 0,
  returned: 0,
  converted_again: 0,
};

describe('the state of the service', () => {
  let database: TestDatabase;
  let account: TestAccount;
  let paused: TestAccount;
  const labels = (max = 10) => ({ campaigns: createLabels(max), buyers: createLabels(max) });
  const read = (named = labels()): Promise<ServiceState> => {
    const { collections } = database;
    return readServiceState({ collections, caps: createCapStore(collections.caps), clock }, named);
  };

  beforeAll(async () => {
    database = await openDatabase();
    const { collections } = database;
    const delivery = { url: 'https://buyer.example/leads' };
    const deps = { collections, keyring };
    account = await createAccount(deps, {
      campaign: { caps: { monthly_budget: 100 } },
      buyers: {
        busy: { delivery, caps: { daily_cap: 4, total_cap: 100 } },
        free: { delivery },
        off: { delivery, status: 'paused', caps: { daily_cap: 1 } },
      },
    });
    paused = await createAccount(deps, {
      campaign: { status: 'PAUSED', caps: { daily_cap: 1 } },
      buyers: {},
    });
    const { busy = '', free = '' } = account.buyers;
    await collections.deliveries.insertMany([
      ...[10, 400, 20].map((seconds) =>
        aRow({ buyer_id: busy, state: 'parked', created_at: ago(seconds) }),
      ),
      aRow({ buyer_id: busy, state: 'unknown', created_at: ago(30) }),
      aRow({ buyer_id: free, state: 'unknown', created_at: ago(900) }),
      aRow({ buyer_id: free, state: 'accepted', created_at: ago(9_000) }),
      aRow({ buyer_id: free, state: 'sending', created_at: ago(9_000) }),
    ]);
    const destinations = createDestinationStore(collections.destinations);
    const pause = { pauses: 1, open_until: null, retry_at: NOW };
    const failing = { orgId: account.orgId, failed: 50, pause, reason: 'http_503', now: NOW };
    await destinations.failed(busy, failing);
    await destinations.failed(free, failing);
    await destinations.recovered(free, NOW);
    await destinations.failed('automation', { ...failing, quiet: true });
    const event = (n: number, row: Partial<EventDeliveryDoc>): EventDeliveryDoc => ({
      _id: `row-${n}`,
      org_id: account.orgId,
      automation_id: `automation-${n % 2}`,
      event_id: `event-${n}`,
      type: 'lead.accepted',
      lead_id: null,
      ord: 0,
      state: 'waiting',
      attempts: 1,
      due_at: NOW,
      give_up_at: NOW,
      created_at: ago(n),
      ...row,
    });
    await collections.eventDeliveries.insertMany([
      event(1, {}),
      event(70, {}),
      event(5, { due_at: ago(-3_600) }),
      event(500, { state: 'parked' }),
      event(600, { state: 'delivered' }),
    ]);
    const sumsOf = (campaign_id: string, day: string, by_status: RollupDoc['by_status']) => ({
      _id: `${campaign_id}:${day}:all`,
      org_id: account.orgId,
      campaign_id,
      day,
      seq: 1,
      facet: 'all' as const,
      by_status,
    });
    const { campaignId } = account;
    const unsold = { ...SUMS, leads: 3, sales: 0, revenue: 0, cost: 0 };
    await collections.rollups.insertMany([
      sumsOf(campaignId, TODAY, { ACCEPTED: { ...SUMS, leads: 2 }, UNMATCHED: unsold }),
      sumsOf(campaignId, '2026-11-20', { ACCEPTED: SUMS }),
      sumsOf(campaignId, '2026-11-22', { ACCEPTED: SUMS }),
      { ...sumsOf(campaignId, TODAY, { ACCEPTED: SUMS }), _id: 'of a buyer', facet: 'buyer' },
    ]);
    const keys = windowKeys(NOW, TEST_ZONE);
    const caps = createCapStore(collections.caps);
    const reserve = (id: string, leads: number, amount: number) =>
      caps.reserve({
        id,
        limits: {},
        keys,
        candidates: Array.from({ length: leads }, (_, n) => ({
          hold_id: `${id}:${n}`,
          fence: 1,
          amount,
        })),
      });
    await reserve(buyerCap(campaignId, busy), 3, 1);
    await reserve(campaignCap(campaignId), 1, 25_000_000);
  });
  afterAll(() => database.drop());

  it('has the queue of each buyer, by what it waits for, and since when', async () => {
    const { busy, free } = account.buyers;
    const { queues } = await read();
    expect(queues).toEqual([
      { buyer_id: free, state: 'unknown', deliveries: 1, oldest: ago(900) },
      { buyer_id: busy, state: 'parked', deliveries: 3, oldest: ago(400) },
      { buyer_id: busy, state: 'unknown', deliveries: 1, oldest: ago(30) },
    ]);
  });

  it('has the buyers whose breaker is open, not those that answer again, and no automation', async () => {
    expect((await read()).openBreakers).toEqual([account.buyers.busy]);
  });

  it('has the events that wait, however late they are due, and those that were given up', async () => {
    expect((await read()).events).toEqual({ waiting: 3, oldest: ago(70), deadLettered: 1 });
  });

  it("has today's sums in the time zone of the account, as the reports have them", async () => {
    expect((await read()).today).toEqual([
      {
        campaign_id: account.campaignId,
        currency: 'USD',
        leads: { ACCEPTED: 2, UNMATCHED: 3 },
        revenue: 10.5,
        cost: 4,
      },
    ]);
  });

  it('has the use of what is limited, the fullest first; what is paused has none', async () => {
    const { caps } = await read();
    const ofBuyer = {
      scope: 'buyer',
      campaign_id: account.campaignId,
      buyer_id: account.buyers.busy,
    };
    expect(caps).toEqual([
      { ...ofBuyer, window: 'day', of: 'count', ratio: 0.75 },
      {
        scope: 'campaign',
        campaign_id: account.campaignId,
        window: 'month',
        of: 'budget',
        ratio: 0.25,
      },
      { ...ofBuyer, window: 'total', of: 'count', ratio: 0.03 },
    ]);
    expect(paused.campaignId).not.toBe('');
  });

  it('names the campaigns and buyers that it shows', async () => {
    const { names, leftOut } = await read();
    expect(names.campaigns).toEqual(new Map([[account.campaignId, 'Campaign']]));
    const { busy = '', free = '' } = account.buyers;
    expect(names.buyers).toEqual(
      new Map([
        [free, 'free'],
        [busy, 'busy'],
      ]),
    );
    expect(leftOut).toEqual({ organizations: 0, buyers: 0, caps: 0 });
  });

  it('tells how many caps it leaves out, because their buyers have no name', async () => {
    const { caps, names, leftOut } = await read(labels(1));
    // The buyer that waits longest has the name.
    expect([...names.buyers.values()]).toEqual(['free']);
    expect(caps.map(({ scope }) => scope)).toEqual(['campaign']);
    expect(leftOut.caps).toBe(2);
  });
});
