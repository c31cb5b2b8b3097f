import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { recountPingRollups } from '../../src/reports/repair/recount.js';
import {
  addPing,
  nonZeroPings,
  pingContributionOf,
  pingPlaceKey,
  type PingRows,
} from '../../src/pings/rules/rollups.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { rollUpPings } from '../../src/reports/rollUp.js';
import type { Collections } from '../../src/app/database.js';
import type { PingDoc } from '../../src/pings/store/pingDocs.js';
import { openDatabase } from '../support/database.js';
import { NOW } from '../support/storedRows.js';
import { aPing } from '../support/pingBuilders.js';
import { restless, whenRead } from './disturbed.js';
import { dying, rollDeps } from './rolled.js';
import { quietLog } from '../support/quietLog.js';

const LONG = { withinMs: 20_000 };

/** The stored sums, by campaign, day and place, without zeros. */
async function storedSums({ pingRollups }: Collections): Promise<Record<string, unknown>> {
  const rows = (await pingRollups.find().toArray()).flatMap((doc) =>
    nonZeroPings(new Map([[doc._id, doc]])).map((row) => [doc._id, row.sums] as const),
  );
  return Object.fromEntries(rows.sort(([a], [b]) => a.localeCompare(b)));
}

/** The sums that the pings require. */
async function dueSums({ pings }: Collections, zone = 'UTC'): Promise<Record<string, unknown>> {
  const days = new Map<string, PingRows>();
  for (const ping of await pings.find().toArray()) {
    const key = `${ping.campaign_id}:${windowKeys(ping.created_at, zone).day}`;
    const rows = days.get(key) ?? (new Map() as PingRows);
    days.set(key, rows);
    addPing(rows, ping, pingContributionOf(ping), 1);
  }
  const sums = [...days].flatMap(([key, rows]) =>
    nonZeroPings(rows).map((row) => [`${key}:${pingPlaceKey(row)}`, row.sums] as const),
  );
  return Object.fromEntries(sums.sort(([a], [b]) => a.localeCompare(b)));
}

describe('roll-ups of pings', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const { pings, pingRollups, rollupState } = database.collections;
    await Promise.all([pings, pingRollups, rollupState].map((one) => one.deleteMany({})));
  });

  const roll = (collections = database.collections) => rollUpPings(rollDeps(collections), LONG);
  const bid = (buyer_id: string, amount: number): PingDoc['bids'][number] => ({
    buyer_id,
    price: amount + 2,
    net: amount + 1,
    bid: amount,
    source: 'static',
  });
  const refused = { state: 'refused', reason: 'no_buyer', bids: [] } as const;
  /** Pings of every kind, as the API stores them; ids begin with `name`. */
  const pinged = async (name: string): Promise<void> => {
    const both = { bids: [bid('first', 10), bid('second', 6)] };
    const one = (n: number, more: Partial<PingDoc>) =>
      aPing({ _id: `${name}-${n}`, uncounted: true, ...more });
    await database.collections.pings.insertMany([
      one(0, both),
      one(1, { bids: [bid('second', 8)], supplier_id: 'another' }),
      one(2, { ...refused, bids: [] }),
      one(4, both),
      aPing({ ...both, _id: `${name}-3`, is_test: true }),
    ]);
  };
  /** Like redeeming does it. */
  const redeem = (_id: string) =>
    database.collections.pings.updateOne(
      { _id, state: 'open' },
      { $set: { state: 'redeemed', lead_id: 'lead', uncounted: true }, $inc: { changes: 1 } },
    );
  const expectRight = async () => {
    const due = await dueSums(database.collections);
    expect(await storedSums(database.collections)).toEqual(due);
    expect(await database.collections.pings.countDocuments({ uncounted: true })).toBe(0);
    return due;
  };

  it('hold the results of the pings of a day, in total, by supplier, by buyer and by both', async () => {
    await pinged('a');
    await redeem('a-0');
    await roll();
    const day = 'campaign:2026-11-21:';
    expect(await expectRight()).toEqual({
      [`${day}["all",null,null]`]: { pings: 4, accepted: 3, redeemed: 1, bids: 28 },
      [`${day}["supplier","supplier",null]`]: { pings: 3, accepted: 2, redeemed: 1, bids: 20 },
      [`${day}["supplier","another",null]`]: { pings: 1, accepted: 1, redeemed: 0, bids: 8 },
      [`${day}["buyer",null,"first"]`]: { pings: 2, accepted: 2, redeemed: 1, bids: 20 },
      [`${day}["buyer",null,"second"]`]: { pings: 3, accepted: 3, redeemed: 1, bids: 20 },
      [`${day}["cell","supplier","first"]`]: { pings: 2, accepted: 2, redeemed: 1, bids: 20 },
      [`${day}["cell","supplier","second"]`]: { pings: 2, accepted: 2, redeemed: 1, bids: 12 },
      [`${day}["cell","another","second"]`]: { pings: 1, accepted: 1, redeemed: 0, bids: 8 },
    });
  });

  it('follow a ping that is redeemed, and are not changed by one that expires', async () => {
    await pinged('a');
    await roll();
    await redeem('a-1');
    await database.collections.pings.updateOne({ _id: 'a-4' }, { $set: { state: 'expired' } });
    expect(await roll()).toBe(1);
    await expectRight();
    expect(await roll()).toBe(0);
  });

  it("count a ping on its day in the account's time zone", async () => {
    const org = { _id: 'org', name: 'Org', time_zone: 'Asia/Tokyo', currency: 'USD' };
    await database.collections.orgs.insertOne({ ...org, created_at: NOW });
    const created_at = new Date('2026-11-21T15:00:00Z');
    await database.collections.pings.insertOne(aPing({ created_at, uncounted: true }));
    await roll();
    const sums = await storedSums(database.collections);
    expect(Object.keys(sums)[0]).toContain(':2026-11-22:');
    expect(sums).toEqual(await dueSums(database.collections, 'Asia/Tokyo'));
    await database.collections.orgs.deleteMany({});
  });

  it.each(['before', 'midway', 'after'] as const)(
    'are right wherever the counting process dies (%s a call)',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        await pinged(`round-${call}`);
        const process = dying(database.collections, call, how);
        await roll(process.collections).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        // A change between the death and the next process that counts.
        await redeem(`round-${call}-0`);
        await roll();
        await expectRight();
      }
      expect(call).toBeGreaterThan(8);
    },
  );

  it('are right when several processes count at once while pings are redeemed', async () => {
    const rolls: Promise<unknown>[] = [];
    for (let n = 0; n < 8; n++) {
      rolls.push(roll());
      await pinged(`n-${n}`);
      rolls.push(roll(), redeem(`n-${n}-0`), redeem(`n-${n}-1`));
    }
    await Promise.all(rolls);
    await roll();
    await expectRight();
  });

  describe('compared with the pings', () => {
    const recount = (now = new Date('2026-11-22T06:00:00Z'), collections = database.collections) =>
      recountPingRollups(
        {
          collections,
          clock: { now: () => now, monotonic: () => performance.now() },
          log: quietLog,
        },
        restless(),
      );
    const everyDayIsDue = () =>
      database.collections.pingRollups.updateMany(
        { facet: 'all' },
        { $set: { recount_at: new Date(0) } },
      );

    it('are not changed when they agree', async () => {
      await pinged('a');
      await roll();
      const before = await storedSums(database.collections);
      await everyDayIsDue();
      expect(await recount()).toBe(0);
      expect(await storedSums(database.collections)).toEqual(before);
      const [all] = await database.collections.pingRollups.find({ facet: 'all' }).toArray();
      expect(Number(all?.recount_at)).toBeGreaterThan(Number(new Date('2026-11-22T06:05:00Z')));
    });

    it('are corrected where a sum was lost or altered', async () => {
      await pinged('a');
      await roll();
      const { pingRollups } = database.collections;
      await pingRollups.updateOne({ facet: 'all' }, { $inc: { 'sums.redeemed': 5 } });
      await pingRollups.deleteOne({ facet: 'buyer' });
      await everyDayIsDue();
      expect(await recount()).toBe(2);
      await expectRight();
    });

    it('are not corrected when pings of the same sums are counted meanwhile', async () => {
      await pinged('a');
      await roll();
      const { pingRollups } = database.collections;
      await pingRollups.updateOne({ facet: 'all' }, { $inc: { 'sums.redeemed': 5 } });
      await everyDayIsDue();
      const meanwhile = async () => {
        await pinged('b');
        await roll();
      };
      const disturbed = whenRead(database.collections, 'pings', meanwhile);
      expect(await recount(undefined, disturbed)).toBe(0);
      await everyDayIsDue();
      expect(await recount()).toBe(1);
      await expectRight();
    });

    it('find a ping that was altered by hand', async () => {
      await pinged('a');
      await roll();
      await database.collections.pings.updateOne({ _id: 'a-0' }, { $set: { state: 'redeemed' } });
      await everyDayIsDue();
      expect(await recount()).toBe(1);
      await roll();
      await expectRight();
    });

    it('stay unchanged when refused pings of their day may have been deleted', async () => {
      await pinged('a');
      await roll();
      const before = await storedSums(database.collections);
      await database.collections.pings.deleteMany({ state: 'refused' });
      await everyDayIsDue();
      expect(await recount(new Date('2026-11-23T12:00:00Z'))).toBe(0);
      expect(await storedSums(database.collections)).toEqual(before);
      expect(
        await database.collections.pingRollups.countDocuments({ recount_at: { $exists: true } }),
      ).toBe(0);
    });
  });
});
