/** A superseded run receives an answer that names a price, after its successor has ended the reservation. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settle } from '../../src/distribution/settle.js';
import type { Answered, Task } from '../../src/distribution/task.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { aSupplier, aWebhook } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';
import { aLease, answers, leadWithTwoLeases } from './twoLeases.js';

describe('a price that a late answer names', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** @param faults how often the sale cannot be stored before it is */
  const answeredLate = async (isHeld: boolean, faults = 0) => {
    const { first, plan, lead, rowOf, collections } = await leadWithTwoLeases(database);
    const made = screeningDeps(database, answers(200));
    let left = faults;
    const sell: typeof made.leads.sell = (...given) =>
      left-- > 0 ? Promise.reject(new Error('no database')) : made.leads.sell(...given);
    const deps = { ...made, leads: { ...made.leads, sell } };
    const keys = windowKeys(new Date(), plan.time_zone);
    const supplier = aSupplier({
      cost_mode: 'REVENUE_SHARE',
      revenue_share: 50,
      caps: { total_cap: 5 },
    });
    const terms = {
      ...first,
      delivery: aWebhook({ url: 'first', response: { price_path: 'price' } }),
    };
    const ids = {
      buyer: buyerCap(plan.campaign_id, terms.buyer_id),
      supplier: supplierCap(plan.campaign_id, lead.supplier_id),
      campaign: campaignCap(plan.campaign_id),
    };
    const row = rowOf({
      buyer_id: 'first',
      state: 'unknown',
      run: 'second',
      fence: 1,
      reserved: keys,
      price: 10,
      cost: 5,
    });
    await collections.deliveries.insertOne(row);
    for (const [scope, id] of Object.entries(ids)) {
      const amount = scope === 'supplier' ? 5 : 10;
      const candidates = [{ hold_id: row._id, fence: 1, amount }];
      await deps.caps.reserve({ id, limits: {}, keys, candidates });
      if (!isHeld) await deps.caps.commit(id, [{ hold_id: row._id, fence: 2 }]);
    }
    const task: Task = {
      lead: { ...lead, takes: 1 },
      plan: { ...plan, caps: { total_cap: 5 } },
      supplier,
      candidates: [],
      nextAttempt: 2,
      sold: 0,
      missed: [],
      trail: [],
    };
    const answer: Answered = {
      task,
      terms,
      row: { ...row, run: 'first' },
      keys,
      apart: undefined,
      further: false,
      askedAt: new Date(),
      reservationId: row._id,
      verdict: { result: 'accepted', reason: 'The buyer answered 200', price: 8 },
      latencyMs: 1,
    };
    const over = { ...aLease('first'), validUntilMs: performance.now() - 1 };
    const adopted = new Set<string>();
    for (let fault = 0; fault < faults; fault += 1)
      await expect(settle([answer], over, deps, adopted)).rejects.toThrow('no database');
    const { sold } = await settle([answer], over, deps, adopted);
    expect(sold).toHaveLength(1);
    expect(await collections.deliveries.findOne({ _id: row._id })).toMatchObject({
      state: 'accepted',
      price: 8,
    });
    const counted = await collections.caps.find({ _id: { $in: Object.values(ids) } }).toArray();
    const money = counted.map(({ _id, total, day, held }) => {
      const counts = { count: total.count, amount: total.amount, day: day.amount };
      return [_id.split(':')[0] ?? '', { ...counts, held: held.length }] as const;
    });
    return Object.fromEntries(money);
  };

  it.each([
    ['was ended by its successor', false],
    ['is still there', true],
  ])('counts in place of the price of the link when the reservation %s', async (_what, isHeld) => {
    const money = (amount: number) => ({ count: 1, amount, day: amount, held: 0 });
    const once = { buyer: money(8), campaign: money(8), supplier: money(4) };
    expect(await answeredLate(isHeld)).toEqual(once);
    expect(await answeredLate(isHeld, 2)).toEqual(once);
  });
});
