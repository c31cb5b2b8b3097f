/** Two runs that both hold a lead: the later one has acquired it, and the earlier one does not know yet. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeExhausted } from '../../src/distribution/close.js';
import { resumeLeads } from '../../src/distribution/resumeLeads.js';
import { GroupSale } from '../../src/distribution/sell.js';
import type { Task } from '../../src/distribution/task.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { buyerCap, supplierCap } from '../../src/routing/store/caps.js';
import { aSupplier } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { waitFor } from '../support/waitFor.js';
import { screeningDeps } from './screeningDeps.js';
import { answers, aLease, LEASE_MS, leadWithTwoLeases } from './twoLeases.js';

describe('a lease that was superseded', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const aScene = (lead: Partial<Lead> = {}) => leadWithTwoLeases(database, lead);

  it('parks no attempt that its successor continues', async () => {
    const { first, plan, lead, rowOf, rows, collections } = await aScene();
    const failed = rowOf({ buyer_id: 'first', state: 'failed', reason: 'http_503' });
    await collections.deliveries.insertOne(failed);
    const asked: string[] = [];
    const deps = screeningDeps(database, answers(200, asked));

    const second = aLease('second');
    const { tasks } = await resumeLeads([lead], second, deps);
    const missed = { terms: first, rowId: failed._id, reason: 'http_503', retryAfterMs: 0 };
    const overtaken: Task = {
      lead: { ...lead, takes: 1 },
      plan,
      supplier: aSupplier(),
      candidates: [],
      nextAttempt: 2,
      sold: 0,
      missed: [missed],
      trail: [],
    };
    const closed = await closeExhausted([overtaken], aLease('first'), deps);
    expect(closed).toEqual({ unsold: [], goOn: [], waiting: [], lost: [overtaken] });
    expect(await rows()).toMatchObject([{ state: 'failed', run: 'second' }]);

    await new GroupSale({ tasks }, second, deps).done;
    expect(asked).toEqual(['next']);
    expect(await rows()).toMatchObject([
      { buyer_id: 'first', state: 'failed' },
      { buyer_id: 'next', state: 'accepted' },
    ]);
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
      status: 'ACCEPTED',
      buyer_id: 'next',
      sales: [{ attempt: 2 }],
    });
  });

  /**
   * The first run has reserved for its attempt, and is delayed. The second run takes the reservation over, and finds a
   * row when it opens its first attempt with the first buyer; then a third one acquires the lead. Returns the final
   * counts of the buyer and the supplier.
   */
  const countedBeside = async (row: Partial<DeliveryDoc>): Promise<Record<string, number>> => {
    const { first, plan, lead, rowOf, collections } = await aScene();
    const supplier = aSupplier({ caps: { total_cap: 5 } });
    const made = screeningDeps(database, answers(200));
    const open: typeof made.deliveries.insertAttempts = async (rows) => {
      const reserved = windowKeys(new Date(), plan.time_zone);
      const answer_by = new Date(Date.now() - 1);
      await collections.deliveries.insertOne(
        rowOf({ buyer_id: 'first', state: 'sending', answer_by, reserved, ...row }),
      );
      return made.deliveries.insertAttempts(rows);
    };
    const deps = { ...made, deliveries: { ...made.deliveries, insertAttempts: open } };
    const task: Task = {
      lead,
      plan,
      supplier,
      candidates: [first],
      nextAttempt: 1,
      sold: 0,
      missed: [],
      trail: [],
    };
    const keys = windowKeys(new Date(), plan.time_zone);
    const candidates = [{ hold_id: `${lead._id}:1`, fence: 1, amount: first.price }];
    const buyerId = row.buyer_id ?? first.buyer_id;
    for (const id of [buyerCap(plan.campaign_id, buyerId), supplierCap(plan.campaign_id, 's1')])
      await made.caps.reserve({ id, limits: {}, keys, candidates });
    const selling = new GroupSale({ tasks: [task] }, aLease('second'), deps);
    await selling.done;
    expect(selling.verdictOf(lead)).toEqual({ id: lead._id, status: 'OPEN' });

    const taken = { run: 'third', takes: 3 };
    await collections.leads.updateOne({ _id: lead._id }, { $set: taken });
    await collections.plans.updateOne({ _id: plan._id }, { $set: { 'suppliers.s1': supplier } });
    const { verdicts } = await resumeLeads([{ ...lead, ...taken }], aLease('third'), made);
    expect(verdicts).toMatchObject([{ status: 'PENDING' }]);
    const ids = [buyerCap(plan.campaign_id, 'first'), supplierCap(plan.campaign_id, 's1')];
    const read = () => collections.caps.find({ _id: { $in: ids } }).toArray();
    const isSettled = async () => (await read()).every(({ held }) => held.length === 0);
    await waitFor(isSettled, { message: 'no slot is held' });
    const links = await read();
    const counts = links.map(({ _id, total }) => [_id.split(':')[0] ?? '', total.count] as const);
    return Object.fromEntries(counts);
  };

  it("opens a row too late: its successor's reservation for the lead counts for that row", async () => {
    expect(await countedBeside({ run: 'first', fence: 1 })).toEqual({ buyer: 1, supplier: 1 });
  });

  it('opens a row with another buyer too late: it counts for supplier and campaign', async () => {
    const counted = await countedBeside({ run: 'first', fence: 1, buyer_id: 'next' });
    expect(counted).toEqual({ buyer: 0, supplier: 1 });
  });

  it('releases its reservation when the row belongs to its successor', async () => {
    expect(await countedBeside({ run: 'third', fence: 3 })).toEqual({ buyer: 0, supplier: 0 });
  });

  it('opens its next attempt too late, while its successor waits: the reservation counts for it', async () => {
    const { first, plan, lead, rowOf, rows, collections } = await aScene();
    const reserved = windowKeys(new Date(), plan.time_zone);
    const soon = new Date(Date.now() + LEASE_MS);
    const sending = rowOf({ buyer_id: 'next', state: 'sending', answer_by: soon, reserved });
    await collections.deliveries.insertOne(sending);
    const deps = screeningDeps(database, answers(200));
    const id = buyerCap(plan.campaign_id, first.buyer_id);
    const slot = { hold_id: `${lead._id}:2`, fence: 1, amount: first.price };
    await deps.caps.reserve({ id, limits: {}, keys: reserved, candidates: [slot] });

    const waiting = await resumeLeads([lead], aLease('second'), deps);
    expect(waiting.open).toEqual([lead._id]);
    const ago = new Date(Date.now() - 1);
    await collections.deliveries.insertOne(
      rowOf({ buyer_id: 'first', n: 2, state: 'sending', answer_by: ago, reserved, fence: 1 }),
    );
    await collections.deliveries.updateOne({ _id: sending._id }, { $set: { state: 'failed' } });
    const taken = { run: 'third', takes: 3 };
    await collections.leads.updateOne({ _id: lead._id }, { $set: taken });
    await resumeLeads([{ ...lead, ...taken }], aLease('third'), deps);
    expect((await rows())[1]).toMatchObject({ state: 'unknown' });
    expect(await collections.caps.findOne({ _id: id })).toMatchObject({
      total: { count: 1 },
      held: [],
    });
  });

  it('parked the lead just before: its successor waits for the buyer', async () => {
    const { lead, rowOf, rows, collections } = await aScene();
    await collections.deliveries.insertOne(
      rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date() }),
    );
    const asked: string[] = [];
    const { tasks, verdicts } = await resumeLeads(
      [lead],
      aLease('second'),
      screeningDeps(database, answers(200, asked)),
    );
    expect({ tasks, asked }).toEqual({ tasks: [], asked: [] });
    expect(verdicts).toMatchObject([{ id: lead._id, status: 'PENDING' }]);
    expect(await rows()).toMatchObject([{ state: 'parked' }]);
  });

  it('may have parked a lead that another buyer may have: then it is held for that one alone', async () => {
    const { first, plan, lead, rowOf, rows, collections } = await aScene();
    const reserved = windowKeys(new Date(), plan.time_zone);
    const deps = screeningDeps(database, answers(200));
    const id = buyerCap(plan.campaign_id, first.buyer_id);
    const slot = { hold_id: `${lead._id}:1`, fence: 1, amount: first.price };
    await deps.caps.reserve({ id, limits: {}, keys: reserved, candidates: [slot] });
    await deps.caps.commit(id, [slot]);
    await collections.deliveries.insertMany([
      rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date(), reserved }),
      rowOf({ buyer_id: 'next', state: 'sending', n: 2, answer_by: new Date(Date.now() - 1) }),
    ]);
    const { tasks, verdicts } = await resumeLeads([lead], aLease('second'), deps);
    expect(tasks).toEqual([]);
    expect(verdicts).toMatchObject([{ id: lead._id, status: 'PENDING' }]);
    expect(await rows()).toMatchObject([{ state: 'failed', run: 'second' }, { state: 'unknown' }]);
    expect(await collections.caps.findOne({ _id: id })).toMatchObject({
      total: { count: 0, amount: 0 },
      held: [],
    });
  });

  it('may have parked a lead whose other buyer counts as not having it: it waits once more', async () => {
    const { next, plan, lead, rowOf, rows, collections } = await aScene();
    next.delivery = { ...next.delivery, on_unknown: 'fail_over' };
    await collections.plans.replaceOne({ _id: plan._id }, plan);
    await collections.deliveries.insertMany([
      rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date(), reason: 'http_503' }),
      rowOf({ buyer_id: 'next', state: 'sending', n: 2, answer_by: new Date(Date.now() - 1) }),
    ]);
    const deps = screeningDeps(database, answers(200));
    const second = aLease('second');
    const { tasks } = await resumeLeads([lead], second, deps);
    await new GroupSale({ tasks }, second, deps).done;
    expect(await rows()).toMatchObject([{ state: 'parked' }, { state: 'abandoned' }]);
    const stored = await collections.leads.findOne({ _id: lead._id });
    expect(stored).toMatchObject({ status: 'PENDING', run: null });
  });
});
