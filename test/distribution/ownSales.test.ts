/** A sale that ends a lead of the run's own is written beside the row of its buyer's answer. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { settleReservations } from '../../src/distribution/repair/reservations.js';
import { sell } from '../../src/distribution/sell.js';
import type { SellingDeps } from '../../src/distribution/deps.js';
import type { Task } from '../../src/distribution/task.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { buyerCap } from '../../src/routing/store/caps.js';
import { aSupplier, aWebhook } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { waitFor } from '../support/waitFor.js';
import { screeningDeps } from './screeningDeps.js';
import { aLease, answers, leadWithTwoLeases } from './twoLeases.js';

/** Longer than a reservation is left alone, in milliseconds. */
const LATER_MS = 600_000;

describe('the sale of a lead that only this run has', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const aScene = async (
    overrides: { lead?: Partial<Lead>; maxSells?: number; body?: string } = {},
  ) => {
    const { lead: given = {}, maxSells = 1, body } = overrides;
    const scene = await leadWithTwoLeases(database, given);
    const { lead, plan, first, collections } = scene;
    const send: ReturnType<typeof answers> =
      body === undefined
        ? answers(200)
        : () => Promise.resolve({ kind: 'answered', status: 200, headers: {}, body });
    const response = { price_path: 'price' };
    const buyer =
      body === undefined ? first : { ...first, delivery: aWebhook({ url: 'first', response }) };
    const deps = screeningDeps(database, send);
    const task: Task = {
      lead,
      plan: { ...plan, max_sells: maxSells },
      supplier: aSupplier({ cost_mode: 'NONE' }),
      candidates: [buyer],
      nextAttempt: 1,
      missed: [],
      trail: [],
      sold: 0,
    };
    const stored = () => collections.leads.findOne({ _id: lead._id });
    const cap = () => collections.caps.findOne({ _id: buyerCap(plan.campaign_id, first.buyer_id) });
    return { ...scene, deps, task, stored, cap };
  };

  /** The process dies before the buyer's answer is in the row: nothing comes of that write. */
  const dyingBefore = (deps: SellingDeps): SellingDeps => ({
    ...deps,
    deliveries: { ...deps.deliveries, settle: () => new Promise(() => undefined) },
  });

  it('leaves an accepted row, and ends its reservation', async () => {
    const { deps, task, stored, rows, cap } = await aScene();
    const selling = sell({ tasks: [task] }, aLease('second'), deps);
    await selling.ended;
    expect(selling.endingOf(task.lead._id)).toEqual({ kind: 'sold', buyerId: 'first' });
    expect(await stored()).toMatchObject({
      status: 'ACCEPTED',
      run: null,
      sales: [{ attempt: 1 }],
    });
    expect(await rows()).toMatchObject([{ state: 'accepted', http_status: 200 }]);
    await selling.done;
    expect(await cap()).toMatchObject({ total: { count: 1 }, held: [] });
  });

  it('holds when the process dies before the row is settled: repair settles the row by it', async () => {
    const { deps, task, stored, rows, cap, collections } = await aScene({ body: '{"price": 7}' });
    void sell({ tasks: [task] }, aLease('second'), dyingBefore(deps)).done;
    await waitFor(async () => (await stored())?.status === 'ACCEPTED', {
      message: 'the lead is sold',
    });
    expect(await rows()).toMatchObject([{ state: 'sending' }]);
    expect(await cap()).toMatchObject({ total: { count: 1 }, held: [{ amount: 10 }] });

    const clock = { ...deps.clock, now: () => new Date(Date.now() + LATER_MS) };
    expect(await settleReservations({ ...deps, clock, collections })).toBe(1);
    const price = (await stored())?.sales[0]?.price;
    expect(price).toBe(7_000_000);
    expect(await rows()).toMatchObject([{ state: 'accepted', http_status: 200, price }]);
    expect(await cap()).toMatchObject({ total: { count: 1, amount: price }, held: [] });
  });

  /** Records the answers of `sellOwn`, and for how many leads it was asked. */
  const watching = (deps: SellingDeps) => {
    const calls: { count: number; areSold: boolean }[] = [];
    const watched: SellingDeps = {
      ...deps,
      leads: {
        ...deps.leads,
        async sellOwn(run, sold, ...rest) {
          const areSold = await deps.leads.sellOwn(run, sold, ...rest);
          calls.push({ count: sold.length, areSold });
          return areSold;
        },
      },
    };
    return { calls, watched };
  };

  it('waits for the row where another run has acquired the lead', async () => {
    const { deps, task, stored, lead, cap, collections } = await aScene();
    await collections.leads.updateOne({ _id: lead._id }, { $set: { run: 'third' } });
    const { calls, watched } = watching(deps);
    await sell({ tasks: [task] }, aLease('second'), watched).done;
    expect(calls).toEqual([{ count: 1, areSold: false }]);
    // The buyer has accepted it all the same: the row says so, and the sale is recorded after it.
    expect(await stored()).toMatchObject({ status: 'ACCEPTED', sales: [{ attempt: 1 }] });
    expect(await cap()).toMatchObject({ total: { count: 1 }, held: [] });
  });

  it.each([
    ['a lead that may be sold again', { maxSells: 2 }],
    ['a test lead, which reserves nothing', { lead: { is_test: true } }],
  ])('waits for the row of %s', async (_, overrides) => {
    const { deps, task } = await aScene(overrides);
    const { calls, watched } = watching(deps);
    await sell({ tasks: [task] }, aLease('second'), watched).done;
    expect(calls).toEqual([]);
  });
});
