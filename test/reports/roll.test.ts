import { describe, expect, it } from '@jest/globals';
import { MongoBulkWriteError } from 'mongodb';
import { restless } from './disturbed.js';
import { recountRollups } from '../../src/reports/repair/recount.js';
import { createRollupStore } from '../../src/reports/store/rollups.js';
import { aPlan } from '../support/builders.js';
import { NOW } from '../support/storedRows.js';
import { aChange, applyAll } from '../outcomes/changes.js';
import { dueSums, dying, rollDeps, storedSums } from './rolled.js';
import { openTrade } from './trading.js';
import { quietLog } from '../support/quietLog.js';

describe('roll-ups', () => {
  const { database, roll, expectRight, store, owned, sell, refuse, trade } = openTrade();

  it('hold the results of the leads of a day', async () => {
    await trade('a');
    await roll();
    expect(await expectRight()).toMatchObject({
      'campaign:2026-11-21:["all",null,null,null]': {
        ACCEPTED: { leads: 2, sales: 2, revenue: 20, cost: 8 },
        UNMATCHED: { leads: 1 },
        PENDING: { leads: 1 },
      },
    });
  });

  it('follow a lead that changes', async () => {
    await trade('a');
    await roll();
    await Promise.all([sell('a-1', 2, 2), sell('a-3')]);
    await roll();
    expect(await expectRight()).toMatchObject({
      'campaign:2026-11-21:["all",null,null,null]': {
        ACCEPTED: { leads: 3, sales: 4, revenue: 40, cost: 16 },
        UNMATCHED: { leads: 1 },
      },
    });
  });

  it('follow the outcomes of sold leads, and are not corrected by them', async () => {
    await trade('a');
    await sell('a-1', 2, 2);
    await roll();
    const { collections } = database;
    const changes = [
      aChange('a-0', {
        buyer_id: 'buyer-1',
        ask: { kind: 'outcome', outcome: 'converted' },
      }),
      aChange('a-1', {
        buyer_id: 'buyer-2',
        ask: { kind: 'return', return_id: 'r', reason: 'other', reverse_cost: true },
      }),
      aChange('a-1', {
        buyer_id: 'buyer-1',
        ask: { kind: 'outcome', outcome: 'not_qualified' },
      }),
    ];
    await collections.outcomes.insertMany(changes);
    await collections.plans.insertOne(aPlan({ _id: 'campaign:1', campaign_id: 'campaign' }));
    await applyAll(changes, collections);
    await roll();
    expect(await expectRight()).toMatchObject({
      'campaign:2026-11-21:["all",null,null,null]': {
        converted: { leads: 1, sales: 1, revenue: 10, cost: 4, converted: 1 },
        not_qualified: { leads: 1, sales: 2, revenue: 10, cost: 4, not_qualified: 1, returned: 1 },
        UNMATCHED: { leads: 1 },
      },
    });
    await collections.rollups.updateMany({ facet: 'all' }, { $set: { recount_at: new Date(0) } });
    expect(await recountRollups({ ...rollDeps(collections), log: quietLog }, restless())).toBe(0);
  });

  it('keep a batch whose sums could not be written, and add it later', async () => {
    await trade('a');
    const { collections } = database;
    // The driver reports a lost connection, too, as an error of a bulk write: without errors of single writes.
    const lost = new MongoBulkWriteError(
      { message: 'connection closed', code: 0, writeErrors: [] },
      await collections.rollups.bulkWrite([{ deleteOne: { filter: { _id: 'none' } } }]),
    );
    const rollups = new Proxy(collections.rollups, {
      get: (of, name) => {
        if (name === 'bulkWrite') return () => Promise.reject(lost);
        const value: unknown = Reflect.get(of, name);
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
    });
    await expect(roll({ ...collections, rollups })).rejects.toBe(lost);
    expect(await collections.rollups.countDocuments()).toBe(0);
    await roll();
    await expectRight();
  });

  it("count a lead on its day in the account's time zone", async () => {
    const org = { _id: 'org', name: 'Org', time_zone: 'Asia/Tokyo', currency: 'USD' };
    await database.collections.orgs.insertOne({ ...org, created_at: NOW });
    await store().insert([owned('late', { created_at: new Date('2026-11-21T15:00:00Z') })]);
    await refuse('late');
    await roll();
    expect(Object.keys(await storedSums(database.collections))[0]).toContain(':2026-11-22:');
    expect(await storedSums(database.collections)).toEqual(
      await dueSums(database.collections, 'Asia/Tokyo'),
    );
    await database.collections.orgs.deleteMany({});
  });

  it('count leads that were decided before there were any', async () => {
    await store().insert([owned('old', { status: 'UNMATCHED' }), owned('fresh')]);
    await roll();
    await expectRight();
    expect(await database.collections.rollups.countDocuments()).toBe(7);
  });

  it.each(['before', 'midway', 'after'] as const)(
    'are right wherever the counting process dies (%s a call)',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        await trade(`round-${call}`);
        const process = dying(database.collections, call, how);
        await roll(process.collections).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        // A change between the death and the next process that counts.
        await sell(`round-${call}-3`);
        await roll();
        await expectRight();
      }
      expect(call).toBeGreaterThan(8);
    },
  );

  it('are right when several processes count at once while leads change', async () => {
    const rolls: Promise<unknown>[] = [];
    for (let n = 0; n < 12; n++) {
      rolls.push(roll());
      await trade(`n-${n}`);
      rolls.push(roll(), sell(`n-${n}-1`, 2, 2), sell(`n-${n}-3`));
    }
    await Promise.all(rolls);
    await roll();
    await expectRight();
  });

  it('are not changed by a stalled process that finishes late', async () => {
    await trade('a');
    const { collections } = database;
    // It dies with the batch recorded and nothing applied.
    const process = dying(collections, 7, 'before');
    await expect(roll(process.collections)).rejects.toThrow('died');
    const stale = await collections.rollupState.findOne({ _id: 'leads' });
    expect(stale?.batch).toMatchObject({ leads: { length: 5 } });
    await sell('a-3');
    await roll();
    const { rollupState } = collections;
    const late = new Proxy(rollupState, {
      get: (of, name) => {
        if (name === 'findOne') return () => Promise.resolve(stale);
        const value: unknown = Reflect.get(of, name);
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
    });
    await createRollupStore({
      collections: { ...collections, rollupState: late },
      clock: { now: () => NOW },
    }).settled();
    await expectRight();
    await roll();
    await expectRight();
  });
});
