/** The morning page and the health of buyers: figures, and what needs an operator. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DestinationDoc } from '../../../../src/deliveries/store/destinationDoc.js';
import type { Lead } from '../../../../src/leads/rules/lead.js';
import { daysEarlier } from '../../../../src/fields/days.js';
import { buyerCap, createCapStore } from '../../../../src/routing/store/caps.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';
import { TEST_ZONE, windowsNow } from '../../../support/org.js';
import { aLead, aRow } from '../../../support/storedRows.js';

/** 02:00 in UTC: the day before in New York, at 21:00. */
const NOW = new Date('2026-11-21T02:00:00Z');
const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(Number(NOW) - hours * HOUR);

describe('the same time a day earlier', () => {
  it.each([
    ['2026-11-21T02:00:00Z', '2026-11-20T02:00:00.000Z'],
    // The clock is put back between the two.
    ['2026-11-02T02:00:00Z', '2026-11-01T01:00:00.000Z'],
    // The clock is put forward: there is no 02:30 on the 8th.
    ['2026-03-09T06:30:00Z', '2026-03-08T07:30:00.000Z'],
  ])('of %s is %s', (now, earlier) => {
    expect(daysEarlier(new Date(now), 1, TEST_ZONE).toISOString()).toBe(earlier);
  });
});

describe('today', () => {
  let api: ActionsApi;
  let org: Org;
  let place: { campaign_id: string; supplier_id: string; buyer_id: string };
  beforeAll(async () => {
    api = await startActionsApi({ clock: { now: () => NOW, monotonic: () => 0, random: () => 0 } });
    org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    place = { campaign_id: campaign.id, supplier_id: supplier.id, buyer_id: buyer.id };
    const { collections } = api;
    const lead = (status: Lead['status'], created_at: Date, more: Partial<Lead> = {}) =>
      aLead({
        org_id: org.id,
        campaign_id: campaign.id,
        supplier_id: supplier.id,
        status,
        created_at,
        uncounted: true,
        changes: 1,
        ...more,
      });
    const sold = (created_at: Date) =>
      lead('ACCEPTED', created_at, {
        buyer_id: buyer.id,
        sales: [{ buyer_id: buyer.id, attempt: 1, price: 10_000_000, cost: 4_000_000, at: NOW }],
        price: 10_000_000,
        cost: 4_000_000,
      });
    await collections.leads.insertMany([
      // Today, from 00:00 in New York: 21 hours ago.
      sold(hoursAgo(1)),
      sold(hoursAgo(20)),
      lead('UNMATCHED', hoursAgo(2)),
      lead('PENDING', hoursAgo(2)),
      // Yesterday: before 21:00, and after it.
      sold(hoursAgo(30)),
      lead('REJECTED', hoursAgo(40)),
      lead('DUPLICATE', hoursAgo(23)),
      // A week ago: before 21:00, and after it.
      sold(hoursAgo(7 * 24 + 1)),
      sold(hoursAgo(7 * 24 + 21)),
      lead('UNMATCHED', hoursAgo(7 * 24 - 1)),
      // Of a supplier that has sent none since.
      lead('UNMATCHED', hoursAgo(50), { supplier_id: 'silent' }),
      lead('ACCEPTED', hoursAgo(1), { is_test: true }),
    ]);
    const waits = (state: 'parked' | 'unknown', hours: number) =>
      aRow({ org_id: org.id, ...place, state, created_at: hoursAgo(hours), due_at: NOW });
    await collections.deliveries.insertMany([
      waits('parked', 3),
      waits('parked', 2),
      waits('unknown', 5),
      ...[200, 400, 600].map((latency_ms, n) =>
        aRow({
          org_id: org.id,
          ...place,
          state: n === 2 ? 'rejected' : 'accepted',
          latency_ms,
          http_status: n === 2 ? 422 : 200,
          created_at: hoursAgo(n + 1),
          settled_at: hoursAgo(n + 1),
        }),
      ),
      aRow({
        org_id: org.id,
        ...place,
        state: 'accepted',
        latency_ms: 9,
        created_at: hoursAgo(60),
      }),
    ]);
    await breakerOf(buyer.id, { paused_at: hoursAgo(4), open_until: hoursAgo(-1) });
    await collections.returns.insertOne({
      _id: 'r1',
      org_id: org.id,
      lead_id: 'l',
      buyer_id: buyer.id,
      campaign_id: campaign.id,
      reason: 'other',
      note: null,
      state: 'requested',
      lead_day: '2026-11-20',
      created_at: NOW,
      requested_by: { kind: 'user' },
    });
    const id = buyerCap(campaign.id, buyer.id);
    await createCapStore(collections.caps).reserve({
      id,
      limits: {},
      keys: { ...windowsNow(), day: '2026-11-20', hour: '2026-11-21T02:00:00Z' },
      candidates: Array.from({ length: 85 }, (_, n) => ({ hold_id: `${n}`, fence: 1, amount: 1 })),
    });
  });
  afterAll(() => api.stop());

  const breakerOf = (_id: string, times: Pick<DestinationDoc, 'paused_at' | 'open_until'>) =>
    api.collections.destinations.insertOne({
      _id,
      org_id: org.id,
      awake: false,
      awake_at: NOW,
      failures: 7,
      pauses: 1,
      retry_at: null,
      ...times,
    });

  const today = () => api.done<Record<string, unknown>>(org, 'get_today', {});

  it('is beside yesterday, whole and up to the same time, by the clock of the account', async () => {
    const page = await today();
    expect(page).toMatchObject({ date: '2026-11-20', time_zone: TEST_ZONE, currency: 'USD' });
    expect(page.today).toMatchObject({
      total_leads: 4,
      accepted: 2,
      unmatched: 1,
      pending: 1,
      sales: 2,
      revenue: 20,
      cost: 8,
      profit: 12,
      margin_pct: 60,
      acceptance_pct: 66.7,
    });
    expect(page.yesterday).toMatchObject({ total_leads: 3, accepted: 1, revenue: 10 });
    expect(page.campaigns).toMatchObject([{ total_leads: 4, accepted: 2, profit: 12 }]);
    expect(page.yesterday_by_now).toMatchObject({
      total_leads: 2,
      accepted: 1,
      rejected: 1,
      duplicate: 0,
      revenue: 10,
      acceptance_pct: 50,
    });
  });

  it('is beside the same hours last week, and by hour', async () => {
    const page = await today();
    expect(page.last_week_by_now).toMatchObject({ total_leads: 2, accepted: 2, revenue: 20 });
    const hours = page.hours as { hour: string; today: unknown; last_week: unknown }[];
    expect(hours.map(({ hour }) => hour)).toEqual(
      Array.from({ length: 24 }, (_, nth) => String(nth).padStart(2, '0')),
    );
    const none = { leads: 0, accepted: 0, revenue: 0, cost: 0 };
    const one = { leads: 1, accepted: 1, revenue: 10, cost: 4 };
    expect(hours[0]).toEqual({ hour: '00', today: none, last_week: one });
    expect(hours[1]).toEqual({ hour: '01', today: one, last_week: none });
    expect(hours[19]).toMatchObject({ today: { leads: 2, accepted: 0 }, last_week: none });
    expect(hours[20]).toEqual({ hour: '20', today: one, last_week: one });
    expect(hours[21]).toEqual({ hour: '21', today: none, last_week: none });
    expect(hours[22]).toMatchObject({ today: null, last_week: { leads: 1, accepted: 0 } });
  });

  it('reads the leads of a day whose hours an earlier release has not kept', async () => {
    const { leads, rollups } = api.collections;
    await today();
    const day = { created_at: { $gte: hoursAgo(7 * 24 + 21), $lt: hoursAgo(7 * 24 - 3) } };
    const ofHours = { org_id: org.id, day: '2026-11-13', hour: { $exists: true } };
    const kept = await rollups.find(ofHours).toArray();
    await leads.updateMany(day, { $unset: { 'counted.contribution.hour': 1 } });
    await rollups.deleteMany(ofHours);
    const page = await today();
    expect(page.last_week_by_now).toMatchObject({ total_leads: 2, accepted: 2, revenue: 20 });
    expect((page.hours as { last_week: unknown }[])[0]?.last_week).toBeNull();
    await rollups.insertMany(kept);
  });

  it('says what waits, which breakers are open, and which caps are nearly full', async () => {
    const page = await today();
    expect(page.waiting).toEqual({
      deliveries: 2,
      unknown: 1,
      oldest_at: hoursAgo(5).toISOString(),
      is_cut: false,
      breakers: 1,
      returns: 1,
      change_requests: 0,
      dead_letters: 0,
    });
    expect(page.queues).toMatchObject([{ buyer_name: 'Acme', waiting: 2, unknown: 1 }]);
    expect(page.breakers).toMatchObject([
      { buyer_name: 'Acme', breaker: 'open', failures: 7, since: hoursAgo(4).toISOString() },
    ]);
    expect(page.caps).toMatchObject({
      nearly_full: 1,
      fullest: [{ scope: 'buyer', window: 'day', limit: 100, used: 85, used_pct: 85 }],
    });
  });

  it('names no supplier that sends a lead in days after two without one', async () => {
    expect((await today()).silent_suppliers).toEqual([]);
  });

  it('names one that sends every hour once it has sent nothing for three', async () => {
    const other = await api.org();
    const sent = (supplier_id: string, last: number) =>
      Array.from({ length: 168 }, (_, n) =>
        aLead({
          org_id: other.id,
          campaign_id: 'hourly',
          supplier_id,
          status: 'UNMATCHED',
          created_at: hoursAgo(last + n),
          uncounted: true,
          changes: 1,
        }),
      );
    await api.collections.leads.insertMany([...sent('late', 4), ...sent('on time', 1)]);
    const page = await api.done<{ silent_suppliers: { supplier_id: string }[] }>(
      other,
      'get_today',
      {},
    );
    expect(page.silent_suppliers.map(({ supplier_id }) => supplier_id)).toEqual(['late']);
  });

  it('is empty for a new account', async () => {
    const page = await api.done(await api.org(), 'get_today', {});
    expect(page).toMatchObject({
      today: { total_leads: 0, acceptance_pct: 0, margin_pct: 0 },
      yesterday_by_now: { total_leads: 0 },
      waiting: { deliveries: 0, oldest_at: null },
      queues: [],
      silent_suppliers: [],
    });
  });

  it('has what waits as the state of the installation has it', async () => {
    const { waiting } = await api.done<{ waiting: Row }>(org, 'get_today', {});
    const system = await api.done<{ waiting: Row }>(org, 'get_system', {});
    expect(waiting).toMatchObject({ unknown: 1, ...system.waiting });
  });

  it('has buyers whose health is measured', async () => {
    const { buyer_id } = place;
    const health = await api.done(org, 'get_buyer_health', { buyer_id });
    expect(health).toMatchObject({
      id: buyer_id,
      name: 'Acme',
      breaker: 'open',
      open_until: hoursAgo(-1).toISOString(),
      failures: 7,
      waiting: 2,
      held: 0,
      unknown: 1,
      oldest_at: hoursAgo(5).toISOString(),
      accepted: 2,
      rejected: 1,
      unanswered: 1,
      measured: 3,
      p50_ms: 400,
      p99_ms: 600,
      last_answers: [
        { result: 'accepted', http_status: 200, latency_ms: 200 },
        { result: 'accepted', latency_ms: 400 },
        { result: 'rejected', http_status: 422, latency_ms: 600 },
      ],
    });
    const longer = await api.done(org, 'get_buyer_health', { buyer_id, hours: 72 });
    expect(longer).toMatchObject({ accepted: 3, measured: 4 });
    const list = await api.done(org, 'list_buyer_health', { hours: 2 });
    expect(list).toMatchObject([{ name: 'Acme', breaker: 'open', measured: 2, p95_ms: 400 }]);
    const [plain] = await api.done<Row[]>(org, 'list_buyer_health', { figures: false });
    expect(plain).toMatchObject({ name: 'Acme', breaker: 'open', waiting: 2, unknown: 1 });
    expect(plain).not.toHaveProperty('measured');
    expect(await api.done(org, 'list_buyer_health', { status: 'paused' })).toEqual([]);
  });

  it('lists buyers with a queue or a breaker that is not closed, page by page', async () => {
    await api.done(org, 'create_buyer', { name: 'Idle', email: 'i@b.example' });
    const dark = await api.done<Row>(org, 'create_buyer', { name: 'Dark', email: 'd@b.example' });
    await breakerOf(dark.id, { paused_at: hoursAgo(1), open_until: null });
    const troubled = { waiting: true, limit: 1 };
    const key = await org.sharedKey();
    const { json: first } = await api.call(key, 'list_buyer_health', troubled);
    expect(first?.next_cursor).toEqual(expect.any(String));
    const cursor = first?.next_cursor;
    const { json: rest } = await api.call(key, 'list_buyer_health', { ...troubled, cursor });
    expect(rest?.next_cursor).toBeNull();
    // Both were created at the same instant of the test's clock.
    const listed = [first, rest].flatMap((page) => page?.data as Row[]);
    expect(listed.toSorted((a, b) => (String(a.name) < String(b.name) ? -1 : 1))).toMatchObject([
      { name: 'Acme' },
      { name: 'Dark', breaker: 'half-open', waiting: 0 },
    ]);
  });
});
