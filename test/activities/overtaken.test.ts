/** Two runs that both hold a lead for their own: the later one has taken it up, and the earlier does not know yet. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendBatch } from '../../activities/drainBatch.js';
import { closeExhausted } from '../../activities/selling/close.js';
import { follow } from '../../activities/selling/follow.js';
import { sell } from '../../activities/selling/sell.js';
import type { Run, Task } from '../../activities/selling/task.js';
import { createKeyring } from '../../src/auth/seal.js';
import type { Lead } from '../../src/domain/lead.js';
import type { Plan } from '../../src/domain/plan.js';
import type { OutboundHttp } from '../../src/integrations/http.js';
import type { DeliveryDoc } from '../../src/store/collections.js';
import { windowKeys } from '../../src/domain/windowKeys.js';
import { buyerCap, supplierCap } from '../../src/store/caps.js';
import { queueStore } from '../../src/store/queue.js';
import { aBuyer, aPlan, aSupplier, aWebhook } from '../domain/builders.js';
import { aLead, aRow } from '../store/builders.js';
import { openDatabase, type TestDatabase } from '../store/database.js';
import { eventually } from '../support/supplier.js';
import { screeningDeps, SECRET } from './screeningDeps.js';

const LEASE_MS = 10_000;
const HOUR_MS = 3_600_000;

describe('a run that was overtaken', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const aRun = (id: string): Run => ({ id, validUntil: performance.now() + LEASE_MS });
  const answers =
    (status: number, asked: string[] = []): OutboundHttp['send'] =>
    ({ url }) => {
      asked.push(url);
      return Promise.resolve({ kind: 'answered', status, headers: {}, body: '' });
    };

  /** Two buyers, and a lead that the second run has taken up after the first buyer did not take it. */
  const aScene = async (lead: Partial<Lead> = {}) => {
    const signing_secret = createKeyring(SECRET).seal('secret');
    const [first, next] = ['first', 'next'].map((buyer_id, n) =>
      aBuyer({
        ...{ buyer_id, price: 10, priority: n + 1, signing_secret },
        delivery: aWebhook({ url: buyer_id }),
      }),
    ) as [Plan['buyers'][number], Plan['buyers'][number]];
    const plan = aPlan({
      ...{ campaign_id: randomUUID(), buyers: [first, next], suppliers: { s1: aSupplier() } },
    });
    plan._id = `${plan.campaign_id}:${plan.version}`;
    const stored = aLead({
      ...{ campaign_id: plan.campaign_id, supplier_id: 's1', run: 'second', takes: 2 },
      lease_until: new Date(Date.now() + LEASE_MS),
      ...lead,
    });
    const { collections } = database;
    await collections.plans.insertOne(plan);
    await collections.campaigns.updateOne(
      { _id: plan.campaign_id },
      { $set: { plan_version: plan.version, name: plan.campaign_id } },
      { upsert: true },
    );
    await collections.leads.insertOne(stored);
    const rowOf = (overrides: Partial<DeliveryDoc>): DeliveryDoc =>
      aRow({
        ...{ lead_id: stored._id, campaign_id: plan.campaign_id, supplier_id: 's1', run: 'first' },
        ...{ created_at: new Date(), expires_at: new Date(Date.now() + HOUR_MS) },
        ...overrides,
      });
    const rows = () =>
      collections.deliveries.find({ lead_id: stored._id }).sort({ n: 1 }).toArray();
    return { first, next, plan, lead: stored, rowOf, rows, collections };
  };

  it('parks no attempt that its successor goes on from', async () => {
    const { first, plan, lead, rowOf, rows, collections } = await aScene();
    const failed = rowOf({ buyer_id: 'first', state: 'failed', reason: 'http_503' });
    await collections.deliveries.insertOne(failed);
    const asked: string[] = [];
    const deps = screeningDeps(database, answers(200, asked));

    const second = aRun('second');
    const { tasks } = await follow([lead], second, deps);
    const missed = { terms: first, rowId: failed._id, reason: 'http_503', retryAfterMs: 0 };
    const overtaken: Task = {
      ...{ lead: { ...lead, takes: 1 }, plan, supplier: aSupplier(), candidates: [] },
      ...{ nextAttempt: 2, sold: 0, missed: [missed], trail: [] },
    };
    const closed = await closeExhausted([overtaken], aRun('first'), deps);
    expect(closed).toEqual({ unsold: [], waiting: [], lost: [overtaken] });
    expect(await rows()).toMatchObject([{ state: 'failed', run: 'second' }]);

    await sell({ tasks }, second, deps).done;
    expect(asked).toEqual(['next']);
    expect(await rows()).toMatchObject([
      { buyer_id: 'first', state: 'failed' },
      { buyer_id: 'next', state: 'accepted' },
    ]);
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
      ...{ status: 'ACCEPTED', buyer_id: 'next', sales: [{ attempt: 2 }] },
    });
  });

  /**
   * The second run is about to open its first attempt, with a slot of the first buyer, when there is a row already; then
   * a third one takes the lead up. Returns what the counters of buyer and supplier say in the end.
   */
  const countedBeside = async (row: Partial<DeliveryDoc>): Promise<Record<string, number>> => {
    const { first, plan, lead, rowOf, collections } = await aScene();
    const supplier = aSupplier({ caps: { total_cap: 5 } });
    const made = screeningDeps(database, answers(200));
    const open: typeof made.deliveries.open = async (rows) => {
      const reserved = windowKeys(new Date(), plan.time_zone);
      const answer_by = new Date(Date.now() - 1);
      await collections.deliveries.insertOne(
        rowOf({ buyer_id: 'first', state: 'sending', answer_by, reserved, ...row }),
      );
      return made.deliveries.open(rows);
    };
    const deps = { ...made, deliveries: { ...made.deliveries, open } };
    const task: Task = {
      ...{ lead, plan, supplier, candidates: [first] },
      ...{ nextAttempt: 1, sold: 0, missed: [], trail: [] },
    };
    const selling = sell({ tasks: [task] }, aRun('second'), deps);
    await selling.done;
    expect(selling.endingOf(lead._id)).toEqual({ kind: 'lost' });

    const taken = { run: 'third', takes: 3 };
    await collections.leads.updateOne({ _id: lead._id }, { $set: taken });
    await collections.plans.updateOne({ _id: plan._id }, { $set: { 'suppliers.s1': supplier } });
    const { verdicts } = await follow([{ ...lead, ...taken }], aRun('third'), made);
    expect(verdicts).toMatchObject([{ status: 'PENDING' }]);
    const ids = [buyerCap(plan.campaign_id, 'first'), supplierCap(plan.campaign_id, 's1')];
    const read = () => collections.caps.find({ _id: { $in: ids } }).toArray();
    const isSettled = async () => (await read()).every(({ held }) => held.length === 0);
    await eventually(isSettled, 'no slot is held');
    const links = await read();
    const counts = links.map(({ _id, total }) => [_id.split(':')[0] ?? '', total.count] as const);
    return Object.fromEntries(counts);
  };

  it('opens a row too late: what its successor held for the lead counts for that row', async () => {
    expect(await countedBeside({ run: 'first', fence: 1 })).toEqual({ buyer: 1, supplier: 1 });
  });

  it('opens a row with another buyer too late: it counts for supplier and campaign', async () => {
    const counted = await countedBeside({ run: 'first', fence: 1, buyer_id: 'next' });
    expect(counted).toEqual({ buyer: 0, supplier: 1 });
  });

  it('gives back what it held where the row is of its successor', async () => {
    expect(await countedBeside({ run: 'third', fence: 3 })).toEqual({ buyer: 0, supplier: 0 });
  });

  it('opens its next attempt too late, while its successor waits: the slot counts for it', async () => {
    const { first, plan, lead, rowOf, rows, collections } = await aScene();
    const reserved = windowKeys(new Date(), plan.time_zone);
    const soon = new Date(Date.now() + LEASE_MS);
    const sending = rowOf({ buyer_id: 'next', state: 'sending', answer_by: soon, reserved });
    await collections.deliveries.insertOne(sending);
    const deps = screeningDeps(database, answers(200));
    const id = buyerCap(plan.campaign_id, first.buyer_id);
    const slot = { hold_id: `${lead._id}:2`, fence: 1, amount: first.price };
    await deps.caps.reserve({ id, limits: {}, keys: reserved, candidates: [slot] });

    const waiting = await follow([lead], aRun('second'), deps);
    expect(waiting.open).toEqual([lead._id]);
    const ago = new Date(Date.now() - 1);
    await collections.deliveries.insertOne(
      rowOf({ buyer_id: 'first', n: 2, state: 'sending', answer_by: ago, reserved, fence: 1 }),
    );
    await collections.deliveries.updateOne({ _id: sending._id }, { $set: { state: 'failed' } });
    const taken = { run: 'third', takes: 3 };
    await collections.leads.updateOne({ _id: lead._id }, { $set: taken });
    await follow([{ ...lead, ...taken }], aRun('third'), deps);
    expect((await rows())[1]).toMatchObject({ state: 'unknown' });
    expect(await collections.caps.findOne({ _id: id })).toMatchObject({
      ...{ total: { count: 1 }, held: [] },
    });
  });

  it('leaves its successor to wait for the buyer where it parked the lead just before', async () => {
    const { lead, rowOf, rows, collections } = await aScene();
    await collections.deliveries.insertOne(
      rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date() }),
    );
    const asked: string[] = [];
    const { tasks, verdicts } = await follow(
      [lead],
      aRun('second'),
      screeningDeps(database, answers(200, asked)),
    );
    expect({ tasks, asked }).toEqual({ tasks: [], asked: [] });
    expect(verdicts).toMatchObject([{ id: lead._id, status: 'PENDING' }]);
    expect(await rows()).toMatchObject([{ state: 'parked' }]);
  });

  it('may have parked a lead that another buyer may have: then it is held for that one', async () => {
    const { lead, rowOf, rows, collections } = await aScene();
    await collections.deliveries.insertMany([
      rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date() }),
      rowOf({ buyer_id: 'next', state: 'sending', n: 2, answer_by: new Date(Date.now() - 1) }),
    ]);
    const asked: string[] = [];
    const deps = screeningDeps(database, answers(200, asked));
    const { tasks, verdicts } = await follow([lead], aRun('second'), deps);
    expect({ tasks, asked }).toEqual({ tasks: [], asked: [] });
    expect(verdicts).toMatchObject([{ id: lead._id, status: 'PENDING' }]);
    expect(await rows()).toMatchObject([{ state: 'parked' }, { state: 'unknown' }]);
  });

  it.each([
    ['unknown', ['parked', 'unknown'], []],
    ['sending', ['parked', 'sending'], []],
    ['rejected', ['accepted', 'rejected'], ['first']],
  ] as const)(
    'has its parked attempt sent by a drain only where no other buyer may have the lead (%s)',
    async (state, states, sentTo) => {
      const { lead, rowOf, rows, collections } = await aScene({
        ...{ status: 'PENDING', run: null, lease_until: null },
      });
      const parked = rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date(0) });
      await collections.deliveries.insertMany([parked, rowOf({ buyer_id: 'next', n: 2, state })]);
      const destination = await collections.destinations.findOneAndUpdate(
        { _id: 'first' },
        { $set: { asked: [parked._id] } },
        { upsert: true, returnDocument: 'after' },
      );
      const asked: string[] = [];
      const { sent } = await sendBatch('first', destination ?? undefined, {
        ...screeningDeps(database, answers(200, asked)),
        collections,
        queue: queueStore(collections.deliveries),
        background: { add: () => undefined },
      });
      expect({ sent, asked }).toEqual({ sent: sentTo.length, asked: sentTo });
      expect((await rows()).map((row) => row.state)).toEqual(states);
      expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject(
        sentTo.length > 0 ? { status: 'ACCEPTED' } : { status: 'PENDING', run: null },
      );
    },
  );
});
