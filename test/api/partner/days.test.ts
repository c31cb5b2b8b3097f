/** The days of portals begin and end by the clock of the account: at hours that UTC, or a fixed offset, puts elsewhere. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import type { PartnerCall, PartnerContext } from '../../../src/api/partner/call.js';
import { PORTALS } from '../../../src/api/partner/registry.js';
import { getDailyRates } from '../../../src/api/partner/buyer/rates.js';
import { getReturnAllowance } from '../../../src/api/partner/buyer/returns.js';
import { listSales } from '../../../src/api/partner/buyer/sales.js';
import { sendTestLead } from '../../../src/api/partner/buyer/testLead.js';
import { getUsage } from '../../../src/api/partner/buyer/usage.js';
import { getCapsLeft } from '../../../src/api/partner/supplier/caps.js';
import { getPostingGuide } from '../../../src/api/partner/supplier/campaigns.js';
import { getPayout } from '../../../src/api/partner/supplier/payout.js';
import { getPingStats } from '../../../src/api/partner/supplier/pingStats.js';
import { sendTestPost } from '../../../src/api/partner/supplier/testPosts.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { systemClock } from '../../../src/lib/clock.js';
import { createOutboundHttp } from '../../../src/platform/outbound/http.js';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { buyerCap, supplierCap } from '../../../src/routing/store/caps.js';
import { keyring } from '../../account/values.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { TEST_ZONE } from '../../support/org.js';
import { aPing } from '../../support/pingBuilders.js';
import { aLead, aRow } from '../../support/storedRows.js';
import { actionDeps } from '../../support/api.js';

const NOTHING_COUNTED = { ...emptyCapState(), held: [] };

type Json = Record<string, unknown>;

describe('the days of a portal', () => {
  let database: TestDatabase;
  const outbound = createOutboundHttp({ allowPrivate: true });
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(async () => {
    await outbound.close();
    await database.drop();
  });

  /** An account with leads of these times, each sold to its buyer. */
  const open = async (...times: string[]) => {
    const { collections } = database;
    const caps = { hourly_cap: 50, daily_cap: 100, weekly_cap: 200, monthly_cap: 300 };
    const account = await createAccount(
      { collections, keyring },
      {
        campaign: {
          fields: [{ name: 'incident_date', type: 'Date', required: true, ping_required: false }],
          filters: [{ field: 'incident_date', operator: '>= 0 days ago' }],
        },
        buyers: { mine: { caps, delivery: { url: 'http://127.0.0.1:9/nobody-listens' } } },
        supplier: { caps: { hourly_cap: 20, daily_cap: 50, monthly_cap: 70 }, daily_ping_cap: 9 },
      },
    );
    const ids = {
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: account.suppliers[0]?.id ?? '',
    };
    const buyer_id = account.buyers.mine ?? '';
    await collections.leads.insertMany(
      times.map((time) => {
        const created_at = new Date(time);
        const money = { price: 10e6, cost: 4e6 };
        return aLead({
          ...ids,
          ...money,
          created_at,
          buyer_id,
          status: 'ACCEPTED',
          sales: [{ ...money, buyer_id, attempt: 1, at: created_at }],
          changes: 1,
          uncounted: true,
        });
      }),
    );
    return { account, ids, buyer_id };
  };

  /** Runs a call as its partner at a time, on what that says is stored. */
  const run = async (
    call: PartnerCall,
    { account, at, input = {} }: { account: TestAccount; at: string; input?: Json },
  ): Promise<Json> => {
    const { collections } = database;
    const org = await collections.orgs.findOne({ _id: account.orgId });
    const isOfBuyer = PORTALS.buyer.calls.some((one) => one === call);
    const context = {
      ...actionDeps(collections),
      clock: { ...systemClock, now: () => new Date(at) },
      org_id: account.orgId,
      orgId: account.orgId,
      party_id: isOfBuyer ? account.buyers.mine : account.suppliers[0]?.id,
      party_name: 'Partner',
      org,
      settings: { returns: true, fields: null },
      accountCache: createAccountCache(
        collections,
        createPlanStore(collections.plans),
        systemClock,
      ),
      channels: { outbound, keyring, clock: systemClock, health: { record: () => undefined } },
    } as unknown as PartnerContext;
    const asked = call.input.parse(input);
    const made = call.paged
      ? (await call.run(asked, context)).data
      : await call.run(asked, context);
    return { data: call.output.parse(made) };
  };

  /** In New York it is 22:00 on Sunday, the last of May; in UTC a day, a week and a month have begun. */
  const EVENING = '2026-06-01T02:00:00Z';

  it('of usage: the day, the week and the month of the account, and when each ends', async () => {
    const { account, buyer_id } = await open(
      '2026-05-31T03:59:59.999Z',
      '2026-05-31T04:00:00Z',
      '2026-06-01T01:59:59Z',
    );
    const { caps } = database.collections;
    const counted = (key: string) => ({ key, count: 7, amount: 70e6 });
    await caps.insertOne({
      ...NOTHING_COUNTED,
      _id: buyerCap(account.campaignId, buyer_id),
      day: counted('2026-05-31'),
      week: counted('W2026-05-25'),
      month: counted('2026-05'),
    });
    const { data } = await run(getUsage, { account, at: EVENING });
    expect(data).toMatchObject({
      today: { leads: 2, spend: 20 },
      week: { leads: 3, spend: 30 },
      month: { leads: 3, spend: 30 },
      campaigns: [
        {
          today: { leads: 2 },
          month: { leads: 3 },
          limits: [
            { window: 'hour', limit: 50, used: 0, resets_at: '2026-06-01T03:00:00.000Z' },
            ...['day', 'week', 'month'].map((window) => ({
              window,
              used: 7,
              resets_at: '2026-06-01T04:00:00.000Z',
            })),
          ],
        },
      ],
    });
  });

  it.each([
    ['of 23 hours', '2026-03-09T03:59:59Z', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00.000Z'],
    ['of 25 hours', '2026-11-02T04:59:59Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00.000Z'],
  ])('of usage on a day %s, which lasts until its own midnight', async (_day, at, first, end) => {
    const before = new Date(Number(new Date(first)) - 1).toISOString();
    const { account } = await open(before, first, at);
    const { data } = await run(getUsage, { account, at });
    expect(data).toMatchObject({
      today: { leads: 2 },
      campaigns: [{ limits: [{}, { window: 'day', resets_at: end }, {}, {}] }],
    });
  });

  it.each([
    ['an evening', '2026-05-31', '2026-05-31T04:00:00Z', '2026-06-01T04:00:00Z'],
    ['a day of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['a day of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ])('of a list of sales: %s, from its first instant to its last', async (_day, day, from, end) => {
    const justBefore = (time: string) => new Date(Number(new Date(time)) - 1).toISOString();
    const { account } = await open(justBefore(from), from, justBefore(end), end);
    const listed = async (input: Json) => {
      const { data } = await run(listSales, { account, at: EVENING, input });
      return (data as { received_at: string }[]).map(({ received_at }) => received_at);
    };
    const own = [justBefore(end), new Date(from).toISOString()];
    expect(await listed({ from: day, to: day })).toEqual(own);
    expect(await listed({ from: day })).toEqual([new Date(end).toISOString(), ...own]);
    expect(await listed({ to: day })).toEqual([...own, justBefore(from)]);
  });

  it('of returns: the months of the account', async () => {
    const { account, buyer_id } = await open(
      '2026-05-01T03:59:59Z',
      '2026-05-01T04:00:00Z',
      '2026-06-01T01:59:59Z',
    );
    const _id = `${buyer_id}:2026-05`;
    await database.collections.returnCounts.insertOne({ _id, count: 1 });
    const { data } = await run(getReturnAllowance, { account, at: EVENING });
    expect(data).toMatchObject({
      months: [
        { month: '2026-05', bought: 2, returned: 1 },
        { month: '2026-04', bought: 1, returned: 0 },
      ],
    });
  });

  it.each([
    ['an evening', EVENING, '2026-05-31', '2026-05-02'],
    ['a day of 23 hours', '2026-03-09T03:59:59Z', '2026-03-08', '2026-02-07'],
    ['a day of 25 hours', '2026-11-02T04:59:59Z', '2026-11-01', '2026-10-03'],
  ])('of a report that names none: the last thirty, until %s', async (_day, at, to, from) => {
    const { account, ids, buyer_id } = await open(at);
    const created_at = new Date(at);
    const { deliveries, pings } = database.collections;
    const row = { org_id: ids.org_id, campaign_id: ids.campaign_id, created_at };
    const reserved = windowKeys(created_at, TEST_ZONE);
    await deliveries.insertOne(aRow({ ...row, buyer_id, reserved, state: 'accepted' }));
    await pings.insertOne(aPing({ ...ids, created_at, uncounted: true }));
    for (const [call, sums] of [
      [getDailyRates, { sent: 1, sold: 1 }],
      [getPayout, { posts: 1, payout: 4 }],
      [getPingStats, { pings: 1 }],
    ] as const) {
      const { data } = await run(call, { account, at });
      const { days, ...told } = data as { days: Json[] };
      expect(told).toMatchObject({ from, to });
      expect([days.length, days[0]?.day]).toEqual([30, from]);
      expect(days.at(-1)).toMatchObject({ day: to, ...sums });
    }
  });

  it.each([
    ['an evening', EVENING, '2026-05-31', '2026-06-01T04:00:00.000Z'],
    ['a day of 23 hours', '2026-03-09T03:59:59Z', '2026-03-08', '2026-03-09T04:00:00.000Z'],
    ['a day of 25 hours', '2026-11-02T04:59:59Z', '2026-11-01', '2026-11-02T05:00:00.000Z'],
  ])("of a supplier's caps: what %s has counted, and its end", async (_day, at, day, end) => {
    const { account, ids } = await open(at);
    const { caps, pingCounts } = database.collections;
    const month = { key: day.slice(0, 7), count: 6, amount: 6e6 };
    await caps.insertOne({
      ...NOTHING_COUNTED,
      _id: supplierCap(ids.campaign_id, ids.supplier_id),
      day: { key: day, count: 5, amount: 5e6 },
      month,
    });
    const _id = `supplier:${ids.campaign_id}:${ids.supplier_id}:${day}`;
    await pingCounts.insertOne({ _id, count: 4, forget_at: new Date('2099-01-01T00:00:00Z') });
    const { data } = await run(getCapsLeft, { account, at });
    const [{ caps: left } = { caps: [] }] = data as { caps: Json[] }[];
    expect(left).toMatchObject([
      { window: 'hour', of: 'count', used: 0, left: 20 },
      { window: 'day', of: 'count', used: 5, left: 45, resets_at: end },
      { window: 'month', of: 'count', used: 6, left: 64 },
      { window: 'day', of: 'pings', used: 4, left: 5, resets_at: end },
    ]);
  });

  it('of made-up leads: a date that must be recent is one of the account', async () => {
    const { account } = await open(EVENING);
    const incident_date = '2026-05-31';
    const input = { campaign_id: account.campaignId };
    const at = EVENING;
    expect(await run(getPostingGuide, { account, at, input })).toMatchObject({
      data: { guide: { example: { incident_date } } },
    });
    expect(await run(sendTestPost, { account, at, input })).toMatchObject({
      data: { sent: { incident_date } },
    });
    const { data } = await run(sendTestLead, { account, at, input });
    expect((data as { sent: Json[] }).sent).toContainEqual({
      name: 'incident_date',
      value: incident_date,
    });
  });
});
