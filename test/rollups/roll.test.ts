import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Lead } from '../../src/domain/lead.js';
import { rollUp } from '../../src/rollups/roll.js';
import { recountRollups } from '../../activities/reconcile/rollups.js';
import { leadStore } from '../../src/store/leads.js';
import { rollupStore } from '../../src/store/rollups.js';
import { openDatabase } from '../account/database.js';
import { aLead, NOW } from '../store/builders.js';
import { aChange, applyAll } from '../outcomes/changes.js';
import { dueSums, dying, rollDeps, storedSums } from './rolled.js';

const LONG = { withinMs: 20_000 };

describe('roll-ups', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const { leads, rollups, rollupState } = database.collections;
    await Promise.all([leads.deleteMany({}), rollups.deleteMany({}), rollupState.deleteMany({})]);
  });

  const store = () => leadStore(database.collections.leads);
  const roll = (collections = database.collections) => rollUp(rollDeps(collections), LONG);
  const owned = (id: string, more: Partial<Lead> = {}): Lead =>
    aLead({ _id: id, run: 'run', fields: { state: 'CA' }, ...more });
  const sell = (leadId: string, attempt = 1, maxSells = 1) =>
    store().sell(
      [
        {
          ...{ leadId, maxSells, profit: 6, trail: [] },
          sale: { buyer_id: `buyer-${attempt}`, attempt, price: 10, cost: 4, at: NOW },
        },
      ],
      NOW,
    );
  const refuse = (leadId: string) =>
    store().decide('run', [{ leadId, status: 'UNMATCHED', trail: [] }], NOW);
  /** Leads of every kind, each changed as the service changes it. */
  const trade = async (prefix: string): Promise<void> => {
    const id = (n: number) => `${prefix}-${n}`;
    await store().insert([0, 1, 2, 3, 4, 5].map((n) => owned(id(n), { is_test: n === 5 })));
    await Promise.all([sell(id(0)), sell(id(1), 1, 2), refuse(id(2)), sell(id(5))]);
    await store().hand('run', [{ leadId: id(3), trail: [] }], NOW);
  };
  const expectRight = async () => {
    const due = await dueSums(database.collections);
    expect(await storedSums(database.collections)).toEqual(due);
    expect(await database.collections.leads.countDocuments({ uncounted: true })).toBe(0);
    return due;
  };

  it('hold what became of the leads of a day', async () => {
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

  it('follow what becomes of sold leads, and are not corrected by it', async () => {
    await trade('a');
    await sell('a-1', 2, 2);
    await roll();
    const { collections } = database;
    const changes = [
      aChange('a-0', {
        ...{ buyer_id: 'buyer-1', ask: { kind: 'outcome', outcome: 'converted' } },
      }),
      aChange('a-1', {
        buyer_id: 'buyer-2',
        ask: { kind: 'return', return_id: 'r', reason: 'other', reverse_cost: true },
      }),
      aChange('a-1', {
        ...{ buyer_id: 'buyer-1', ask: { kind: 'outcome', outcome: 'not_qualified' } },
      }),
    ];
    await collections.outcomes.insertMany(changes);
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
    expect(await recountRollups(rollDeps(collections))).toBe(0);
  });

  it('count a lead on the day it has where the account is', async () => {
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
    expect(await database.collections.rollups.countDocuments()).toBe(4);
  });

  it.each(['before', 'midway', 'after'] as const)(
    'are right wherever a process dies that counts (%s a call)',
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

  it('gain nothing from a process that stood still and then finishes what was finished long ago', async () => {
    await trade('a');
    const { collections } = database;
    // It dies with the batch written down and nothing done.
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
    await rollupStore({
      collections: { ...collections, rollupState: late },
      clock: { now: () => NOW },
    }).settled();
    await expectRight();
    await roll();
    await expectRight();
  });

  describe('compared with the leads', () => {
    const recount = () => {
      const tomorrow = new Date(Date.now() + 86_400_000);
      return recountRollups({
        collections: database.collections,
        clock: { now: () => tomorrow, monotonic: () => performance.now() },
      });
    };
    const everyDayIsDue = () =>
      database.collections.rollups.updateMany(
        { facet: 'all' },
        { $set: { recount_at: new Date(0) } },
      );

    it('are left alone when they agree, and rest', async () => {
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

    it('find a lead that was altered by hand', async () => {
      await trade('a');
      await roll();
      await database.collections.leads.updateOne({ _id: 'a-2' }, { $set: { status: 'EXPIRED' } });
      await everyDayIsDue();
      expect(await recount()).toBe(1);
      await roll();
      await expectRight();
    });

    it('are not corrected by what is only not counted yet', async () => {
      await trade('a');
      await roll();
      await trade('b');
      await everyDayIsDue();
      expect(await recount()).toBe(0);
      await roll();
      await expectRight();
    });
  });
});
