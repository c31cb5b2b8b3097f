/** Caps of an account that moves to another time zone: none is passed in any window of the new one. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MongoServerError, type AggregateOptions, type Collection } from 'mongodb';
import { moveWindows } from '../../src/distribution/moveWindows.js';
import { recount } from '../../src/distribution/repair/counters.js';
import type { CapLimits } from '../../src/account/rules/capLimits.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { windowKeys, type WindowKeys } from '../../src/fields/windowKeys.js';
import type { CapDoc } from '../../src/routing/store/capDocs.js';
import { buyerCap, createCapStore } from '../../src/routing/store/caps.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { quietLog } from '../support/quietLog.js';
import { aRow } from '../support/storedRows.js';

const HOUR = 3_600_000;
const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

let made = 0;

/** Counts of more windows than hour and day do not end in their time. */
const slowToCount = (deliveries: Collection<DeliveryDoc>): Collection<DeliveryDoc> =>
  new Proxy(deliveries, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...input: unknown[]): unknown => {
        const { maxTimeMS } = (input[1] ?? {}) as AggregateOptions;
        if (name !== 'aggregate' || maxTimeMS !== 500) return value.apply(target, input);
        const late = new MongoServerError({ message: 'operation exceeded time limit', code: 50 });
        return { toArray: () => Promise.reject(late) };
      };
    },
  });

/** A campaign with one buyer, to which leads are sold one after the other. */
async function aLink(limits: CapLimits) {
  const { collections } = database;
  const n = ++made;
  const [orgId, campaign_id] = [`org-${n}`, `campaign-${n}`];
  await collections.campaigns.insertOne({
    _id: campaign_id,
    org_id: orgId,
    name: 'One',
    caps: {},
  } as never);
  const link = { _id: `${campaign_id}:b`, campaign_id, buyer_id: 'b', caps: limits };
  await collections.campaignBuyers.insertOne(link as never);
  const caps = createCapStore(collections.caps);
  const id = buyerCap(campaign_id, 'b');
  const sold: Date[] = [];
  return {
    id,
    sold,
    /** Whether a run in this zone sells a lead at that time. */
    async sell(at: Date, zone: string): Promise<boolean> {
      const hold = { hold_id: `lead-${n}-${sold.length}:1`, fence: 1 };
      const candidates = [{ ...hold, amount: 10 }];
      const keys = windowKeys(at, zone);
      const { held } = await caps.reserve({ id, limits, keys, read: { at, zone }, candidates });
      const reserved = held.get(hold.hold_id);
      if (!reserved) return false;
      await collections.deliveries.insertOne(
        aRow({
          _id: hold.hold_id,
          campaign_id,
          buyer_id: 'b',
          state: 'accepted',
          reserved,
          price: 10,
        }),
      );
      await caps.commit(id, [hold]);
      sold.push(at);
      return true;
    },
    move: (from: string, to: string, at: Date) =>
      moveWindows({ orgId, at, from, to }, { collections, clock: { now: () => at } }),
    stored: () => collections.caps.findOne({ _id: id }),
    async compare(at: Date, deliveries = collections.deliveries) {
      let ms = 0;
      for (const later of [0, HOUR]) {
        const now = () => new Date(Number(at) + later);
        const clock = { now, monotonic: () => (ms += 1), random: () => 0 };
        await collections.caps.updateOne({ _id: id }, { $unset: { recount_at: '' } });
        await recount({
          collections: { caps: collections.caps, deliveries },
          clock,
          log: quietLog,
        });
      }
    },
  };
}

const WINDOWS = ['hour', 'day', 'week', 'month'] as const;

/** The most that a window of the zone has of these sales, where it has more than `cap` and more than before the move. */
function passed(sold: readonly Date[], moved: Date, zone: string, caps: Partial<WindowKeys>) {
  return WINDOWS.flatMap((window) => {
    const cap = Number(caps[window] ?? Infinity);
    const byKey = Map.groupBy(sold, (at) => windowKeys(at, zone)[window]);
    return [...byKey].flatMap(([key, all]) => {
      const before = all.filter((at) => at < moved).length;
      return all.length > Math.max(cap, before) ? [`${window} ${key}: ${all.length}`] : [];
    });
  });
}

/** The most that each open window may have counted: what was sold in it, by either zone, up to an hour before it began. */
function atMost(sold: readonly Date[], zones: readonly string[], stored: CapDoc) {
  return WINDOWS.flatMap((window) => {
    const { count = 0 } = stored[window] ?? {};
    const open = stored.moved?.windows[window];
    if (!open) return [`${window} was not moved`];
    const begun = Number(new Date(open.from)) - HOUR;
    const isNamed = (at: Date) => zones.some((zone) => windowKeys(at, zone)[window] >= open.key);
    const all = sold.filter((at) => Number(at) >= begun || isNamed(at)).length;
    return count > all ? [`${window} ${open.key}: ${count} of ${all}`] : [];
  });
}

describe('the caps of an account that moves', () => {
  it('are passed in no window of the new zone, whenever it moves, and whatever its runs know of it', async () => {
    // Around a Monday and a 1st at once.
    const moment = fc.integer({ min: -40 * 4, max: 40 * 4 }).map((quarter) => quarter / 4);
    const sales = fc.array(fc.tuple(moment, fc.boolean()), { minLength: 12, maxLength: 30 });
    const zone = fc.constantFrom(...ZONES);
    await fc.assert(
      fc.asyncProperty(zone, zone, moment, sales, async (from, to, when, hours) => {
        const at = (hour: number) => new Date(Date.UTC(2027, 1, 1, 5) + hour * HOUR);
        const moved = at(when);
        const caps = { hour: '2', day: '3', week: '6', month: '6' };
        const limits = { hourly_cap: 2, daily_cap: 3, weekly_cap: 6, monthly_cap: 6 };
        const link = await aLink(limits);
        const inOrder = hours.toSorted(([a], [b]) => a - b);
        for (const [hour] of inOrder.filter(([one]) => one < when)) await link.sell(at(hour), from);
        await link.move(from, to, moved);
        await link.move(from, to, moved);
        const stored = await link.stored();
        await link.compare(moved);
        const compared = await link.stored();
        if (!stored || !compared) throw new Error('the move makes the counters');
        // An open window carries the one before it, until it is compared.
        const carried = WINDOWS.filter((window) => {
          const key = windowKeys(moved, from)[window];
          return (stored.moved?.windows[window]?.key ?? '') > key;
        });
        const tooMuch = atMost(link.sold, [from, to], stored).filter(
          (one) => !carried.some((window) => one.startsWith(window)),
        );
        expect([tooMuch, atMost(link.sold, [from, to], compared)]).toEqual([[], []]);
        // A run that began before still has the former zone. The counters are compared in between.
        for (const [n, [hour, isLate]] of inOrder.filter(([one]) => one >= when).entries()) {
          if (n % 4 === 2) await link.compare(at(hour));
          await link.sell(at(hour), isLate ? from : to);
        }
        expect(passed(link.sold, moved, to, caps)).toEqual([]);
      }),
      { numRuns: 20, endOnFailure: true },
    );
  }, 60_000);

  it('count what was sold since the new day began, and no more once they are compared', async () => {
    const link = await aLink({ daily_cap: 6 });
    const at = (time: string) => new Date(`2026-11-20T${time}:00Z`);
    // In New York it is the 20th; in Berlin the 21st begins at 23:00 UTC.
    for (const time of ['21:00', '22:00', '23:30']) await link.sell(at(time), 'America/New_York');
    const moved = new Date('2026-11-21T00:30:00Z');
    await link.move('America/New_York', 'Europe/Berlin', moved);
    expect(await link.stored()).toMatchObject({
      zone: 'Europe/Berlin',
      day: { key: '2026-11-21', count: 3 },
    });
    await link.compare(moved);
    expect((await link.stored())?.day).toEqual({ key: '2026-11-21', count: 1, amount: 10 });
    const later = new Date('2026-11-21T12:00:00Z');
    const results = [];
    for (let n = 0; n < 6; n++) results.push(await link.sell(later, 'Europe/Berlin'));
    expect(results).toEqual([true, true, true, true, true, false]);
  });

  it('count each sale once, where the former zone has begun a day without one', async () => {
    const link = await aLink({ daily_cap: 4 });
    for (const time of ['2026-11-20T22:00:00Z', '2026-11-20T23:00:00Z'])
      await link.sell(new Date(time), 'UTC');
    const moved = new Date('2026-11-21T00:30:00Z');
    await link.move('UTC', 'America/New_York', moved);
    expect((await link.stored())?.day).toEqual({ key: '2026-11-20', count: 2, amount: 20 });
  });

  it('count what the day before had sold, where the new zone is still in it', async () => {
    const link = await aLink({ daily_cap: 3 });
    // 23:00 on the 20th and 00:30 on the 21st in New York: both are the 20th in Los Angeles.
    for (const time of ['2026-11-21T04:00:00Z', '2026-11-21T04:10:00Z', '2026-11-21T05:30:00Z'])
      expect(await link.sell(new Date(time), 'America/New_York')).toBe(true);
    const moved = new Date('2026-11-21T06:00:00Z');
    await link.move('America/New_York', 'America/Los_Angeles', moved);
    expect(await link.sell(moved, 'America/Los_Angeles')).toBe(false);
    await link.compare(moved);
    expect((await link.stored())?.day).toMatchObject({ key: '2026-11-21', count: 3 });
    const next = new Date('2026-11-22T08:30:00Z');
    expect(await link.sell(next, 'America/Los_Angeles')).toBe(true);
  });

  it.each([
    ['month', '2024-02-01', { monthly_cap: 3 }],
    ['week', '2024-02-05', { weekly_cap: 3 }],
    ['day', '2024-02-07', { daily_cap: 3 }],
  ] as const)(
    'count nothing in a %s of what was sold before it began in the new zone',
    async (window, first, limits) => {
      const link = await aLink(limits);
      const hour = (hours: number) =>
        new Date(Number(new Date(`${first}T00:00:00Z`)) + hours * HOUR);
      for (const hours of [-2, -1, 0.2]) await link.sell(hour(hours), 'UTC');
      await link.move('UTC', 'America/Los_Angeles', hour(0.5));
      // It is still in the window before, in which all three were sold: whatever compares, it is full.
      await link.compare(hour(1));
      expect((await link.stored())?.[window].count).toBe(3);
      expect(await link.sell(hour(7), 'America/Los_Angeles')).toBe(false);
      await link.compare(hour(8.1));
      expect((await link.stored())?.[window]).toMatchObject({ count: 0, amount: 0 });
      expect((await link.stored())?.total.count).toBe(3);
      const results = [];
      for (let n = 0; n < 4; n++)
        results.push(await link.sell(hour(9 + n / 10), 'America/Los_Angeles'));
      expect(results).toEqual([true, true, true, false]);
      await link.compare(hour(10));
      expect((await link.stored())?.[window].count).toBe(3);
    },
  );

  it('keep the count of a month and in total, where only the day can be compared in time', async () => {
    const link = await aLink({ monthly_cap: 6 });
    for (const time of ['21:00', '22:00', '23:30'])
      await link.sell(new Date(`2026-11-20T${time}:00Z`), 'America/New_York');
    const moved = new Date('2026-11-21T00:30:00Z');
    await link.move('America/New_York', 'Europe/Berlin', moved);
    await link.compare(moved, slowToCount(database.collections.deliveries));
    expect(await link.stored()).toMatchObject({
      day: { count: 1 },
      month: { count: 3 },
      total: { count: 3 },
    });
  });

  it('keep the count of a lead that waits, until it is sent', async () => {
    const link = await aLink({ monthly_cap: 1 });
    await link.sell(new Date('2024-02-01T00:10:00Z'), 'UTC');
    const { deliveries } = database.collections;
    await deliveries.updateOne({ buyer_id: 'b', campaign_id: link.id.split(':')[1] ?? '' }, [
      { $set: { state: 'parked' } },
    ]);
    await link.move('UTC', 'America/Los_Angeles', new Date('2024-02-01T00:30:00Z'));
    await link.compare(new Date('2024-02-01T08:10:00Z'));
    expect((await link.stored())?.month).toMatchObject({ key: '2024-02', count: 1 });
  });

  it('are moved once by an order, however often that is carried out, and not by an earlier one', async () => {
    const link = await aLink({ daily_cap: 6 });
    const at = new Date('2026-11-20T23:30:00Z');
    await link.sell(at, 'America/New_York');
    const [first, second] = [new Date('2026-11-21T00:30:00Z'), new Date('2026-11-21T00:40:00Z')];
    await link.move('America/New_York', 'Europe/Berlin', first);
    await link.move('Europe/Berlin', 'Asia/Kolkata', second);
    await link.move('America/New_York', 'Europe/Berlin', first);
    expect(await link.stored()).toMatchObject({ zone: 'Asia/Kolkata', moved: { at: second } });
    expect((await link.stored())?.day.count).toBe(1);
  });
});
