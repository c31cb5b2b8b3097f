import { describe, expect, it } from '@jest/globals';
import { recountRollups } from '../../../src/reports/repair/recount.js';
import { rollUp } from '../../../src/reports/rollUp.js';
import { restless, whenNumbered, whenRead } from '../disturbed.js';
import { rollDeps, storedSums } from '../rolled.js';
import { LONG, openTrade } from '../trading.js';
import { quietLog } from '../../support/quietLog.js';

/** The update of a lead that gives its only sale this price. */
const sold = (price: number) => ({
  price,
  sales: { $map: { input: '$sales', in: { $mergeObjects: ['$$this', { price }] } } },
});

describe('roll-ups compared with the leads', () => {
  const { database, roll, expectRight, store, owned, sell, trade } = openTrade();
  const tomorrow = new Date(Date.now() + 86_400_000);
  const recount = (collections = database.collections, pace = restless()) =>
    recountRollups(
      {
        collections,
        clock: { now: () => tomorrow, monotonic: () => performance.now() },
        log: quietLog,
      },
      pace,
    );
  const everyDayIsDue = () =>
    database.collections.rollups.updateMany(
      { facet: 'all' },
      { $set: { recount_at: new Date(0) } },
    );

  it('are not changed when they agree', async () => {
    await trade('a');
    await roll();
    const before = await storedSums(database.collections);
    await everyDayIsDue();
    expect(await recount()).toBe(0);
    expect(await storedSums(database.collections)).toEqual(before);
    const [all] = await database.collections.rollups.find({ facet: 'all' }).toArray();
    expect(Number(all?.recount_at)).toBeGreaterThan(Date.now());
  });

  it('are corrected where a sum was lost or altered', async () => {
    await trade('a');
    await roll();
    const { rollups } = database.collections;
    await rollups.updateOne({ facet: 'all' }, { $inc: { 'by_status.ACCEPTED.revenue': 5 } });
    await rollups.deleteOne({ facet: 'buyer' });
    await everyDayIsDue();
    expect(await recount()).toBe(2);
    await expectRight();
    await everyDayIsDue();
    expect(await recount()).toBe(0);
  });

  it('are corrected while leads of other sums are counted', async () => {
    await trade('a');
    await roll();
    const { rollups } = database.collections;
    await rollups.updateOne({ facet: 'all' }, { $inc: { 'by_status.ACCEPTED.revenue': 5 } });
    await everyDayIsDue();
    const meanwhile = async () => {
      await store().insert([owned('b-0', { campaign_id: 'other' })]);
      await sell('b-0');
      expect(await roll()).toBe(1);
    };
    expect(await recount(whenRead(database.collections, 'leads', meanwhile))).toBe(1);
    await expectRight();
  });

  it('are not corrected when leads of the same sums are counted meanwhile', async () => {
    await trade('a');
    await roll();
    const { rollups } = database.collections;
    await rollups.updateOne({ facet: 'all' }, { $inc: { 'by_status.ACCEPTED.revenue': 5 } });
    await everyDayIsDue();
    const meanwhile = async () => {
      await trade('b');
      await roll();
    };
    expect(await recount(whenRead(database.collections, 'leads', meanwhile))).toBe(0);
    const [all] = await rollups.find({ facet: 'all' }).toArray();
    expect(Number(all?.recount_at) - Number(tomorrow)).toBe(600_000);
    await everyDayIsDue();
    expect(await recount()).toBe(1);
    await expectRight();
  });

  it('are not changed while a batch that began at the same time stands still', async () => {
    await trade('a');
    await roll();
    await everyDayIsDue();
    const { leads } = database.collections;
    const standing = new Proxy(leads, {
      get(of, name): unknown {
        if (name === 'bulkWrite') return () => Promise.reject(new Error('it stands still'));
        return Reflect.get(of, name);
      },
    });
    const begin = async () => {
      await trade('b');
      const half = rollUp(rollDeps({ ...database.collections, leads: standing }), LONG);
      await expect(half).rejects.toThrow('it stands still');
    };
    expect(await recount(whenNumbered(database.collections, begin))).toBe(0);
    await expectRight();
  });

  it('are not changed when leads change and their sums do not', async () => {
    await trade('a');
    await roll();
    await everyDayIsDue();
    const { leads } = database.collections;
    const [low, high] = ['a-0', 'a-5'];
    await leads.updateOne({ _id: high }, [
      {
        $set: { is_test: false, ...sold(30), uncounted: true, changes: { $add: ['$changes', 1] } },
      },
    ]);
    await roll();
    const swap = async () => {
      for (const [_id, price] of [
        [low, 30],
        [high, 10],
      ] as const)
        await leads.updateOne({ _id }, [
          { $set: { ...sold(price), uncounted: true, changes: { $add: ['$changes', 1] } } },
        ]);
      expect(await roll()).toBe(2);
    };
    const before = await storedSums(database.collections);
    expect(await recount(whenRead(database.collections, 'leads', swap, 1))).toBe(0);
    expect(await storedSums(database.collections)).toEqual(before);
    await expectRight();
  });

  it('may pause after each lead', async () => {
    await trade('a');
    await roll();
    await everyDayIsDue();
    const pace = restless();
    await recount(database.collections, pace);
    expect(pace.steps()).toBe(6);
  });

  it('find a lead that was altered by hand', async () => {
    await trade('a');
    await roll();
    await database.collections.leads.updateOne({ _id: 'a-2' }, { $set: { status: 'EXPIRED' } });
    await everyDayIsDue();
    expect(await recount()).toBe(1);
    await roll();
    await expectRight();
  });

  it('are not corrected for leads that are not counted yet', async () => {
    await trade('a');
    await roll();
    await trade('b');
    await everyDayIsDue();
    expect(await recount()).toBe(0);
    await roll();
    await expectRight();
  });
});
