import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import type { Collections } from '../../../src/app/database.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import { packPlan, unpackPlan } from '../../../src/account/store/planPacking.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { openDatabase } from '../../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

const planOf = (id: string, zips: unknown, more: object = {}): Plan =>
  ({ _id: id, campaign_id: id, version: 1, buyers: [{ buyer_id: 'b', zips }], ...more }) as never;
const codes = (count: number, step: number): string[] =>
  Array.from({ length: count }, (_, n) => String((n * step) % 100_000).padStart(5, '0'));

describe('a packed plan', () => {
  it.each([
    ['every code there is', codes(100_000, 1)],
    ['every code, backwards', codes(100_000, 1).reverse()],
    ['codes in no order', codes(70_000, 7_919)],
    ['the same code many times', Array.from({ length: 70_000 }, () => '02134')],
  ])('reads back as it was: %s', (name, zips) => {
    const plan = planOf(name, zips);
    const stored = packPlan(plan);
    expect(stored.buyers[0]?.zips).not.toEqual(zips);
    const read = BSON.deserialize(BSON.serialize(stored), { promoteBuffers: false }) as Plan;
    expect(isDeepStrictEqual(unpackPlan(read), plan)).toBe(true);
  });

  it('reads back as it was from the database', async () => {
    const plan = planOf('stored', codes(66_000, 7_919));
    await db.plans.insertOne(packPlan(plan));
    const read = (await createPlanStore(db.plans).get([plan._id])).get(plan._id);
    expect(isDeepStrictEqual(read, plan)).toBe(true);
  });

  it('leaves a small plan, a radius and values that are no list of codes unchanged', () => {
    const small = planOf('small', codes(1_000, 3));
    expect(packPlan(small)).toBe(small);
    expect(unpackPlan(small)).toBe(small);
    const odd = planOf('odd', [...codes(70_000, 1), '123']);
    expect(packPlan(odd)).toEqual(odd);
    const radius = planOf('radius', { zips: ['90210'], miles: 25 });
    expect(unpackPlan(radius)).toBe(radius);
  });
});

describe('plans in memory', () => {
  /** The number of database reads. */
  function counted(...bytesMax: [number?]) {
    const plans = Object.create(db.plans) as Collections['plans'];
    let reads = 0;
    plans.find = ((...given: Parameters<typeof db.plans.find>) => {
      reads += 1;
      return db.plans.find(...given);
    }) as typeof plans.find;
    return { store: createPlanStore(plans, ...bytesMax), reads: () => reads };
  }

  it('are limited by their bytes, and concurrent reads are served at once', async () => {
    const ids = Array.from({ length: 5 }, (_, n) => `big-${n}`);
    const name = 'x'.repeat(120_000);
    await db.plans.insertMany(ids.map((id) => planOf(id, null, { name })));
    const { store, reads } = counted(320_000);
    expect([...(await store.get(ids)).keys()]).toEqual(ids);
    expect(reads()).toBe(1);
    await store.get(['big-4', 'big-3']);
    expect(reads()).toBe(1);
    await store.get(['big-0']);
    expect(reads()).toBe(2);
  });

  it('keep up to two thousand small plans, and not many more', async () => {
    const all = Array.from({ length: 2_100 }, (_, n) => `small-${n}`);
    const ids = all.slice(0, 2_000);
    await db.plans.insertMany(all.map((id) => planOf(id, null)));
    const { store, reads } = counted();
    await store.get(ids);
    await store.get(ids);
    expect(reads()).toBe(1);
    await store.get(all);
    expect(reads()).toBe(2);
    await store.get(ids);
    expect(reads()).toBe(3);
    await db.plans.deleteMany({});
  });
});
