import { sealedBefore } from '../support/sealedBefore.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GroupSale } from '../../src/distribution/sell.js';
import type { Lease, Task } from '../../src/distribution/task.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { TransportReply } from '../../src/platform/outbound/reply.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import { aBuyer, aPlan, aSupplier, aWebhook } from '../support/builders.js';
import { aLead } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { waitFor } from '../support/waitFor.js';
import { screeningDeps, SECRET } from './screeningDeps.js';

const LEASE_MS = 3_000;
/** Time limit of the second buyer: the run holds its leads longer than the others. */
const SLOW_MS = 5_000;
const FAST_MS = 500;

describe('a lease whose caller has returned', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** The first buyer refuses one lead at once, and keeps the other waiting; the second answers at the end. */
  const aScene = () => {
    const signing_secret = sealedBefore(SECRET, 'secret');
    const buyer = (buyer_id: string, priority: number, timeout_ms: number) =>
      aBuyer({
        buyer_id,
        priority,
        signing_secret,
        delivery: aWebhook({ url: buyer_id, timeout_ms }),
      });
    const asked: string[] = [];
    let answerAll: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (answerAll = resolve));
    const reply = (status: number) => ({
      kind: 'answered' as const,
      status,
      headers: {},
      body: '',
    });
    const send: OutboundHttp['send'] = async ({ url, headers }) => {
      asked.push(`${url} ${headers['x-lead-id'] ?? ''}`);
      if (url === 'first' && headers['x-lead-id'] === 'refused') return reply(422);
      await end;
      return reply(200);
    };
    const deps = screeningDeps(database, send);
    return {
      deps,
      asked,
      answerAll,
      candidates: [buyer('first', 1, FAST_MS), buyer('second', 2, SLOW_MS)],
    };
  };

  it('is extended for all of its leads, also for those that wait for another buyer', async () => {
    const { deps, asked, answerAll, candidates } = aScene();
    const lease: Lease = { id: 'run', validUntilMs: performance.now() + LEASE_MS };
    const { leads } = database.collections;
    const lease_until = new Date(Date.now() + LEASE_MS);
    const plan = aPlan({ buyers: candidates });
    const tasks = ['refused', 'waiting'].map((_id): Task => {
      const lead = aLead({
        _id,
        campaign_id: plan.campaign_id,
        run: lease.id,
        takes: 1,
        lease_until,
      });
      const supplier = aSupplier({ cost_mode: 'NONE' });
      const state = { nextAttempt: 1, missed: [], trail: [], sold: 0 };
      return { lead, plan, supplier, candidates: [...candidates], ...state };
    });
    await leads.insertMany(tasks.map(({ lead }) => lead));
    const selling = new GroupSale({ tasks }, lease, deps);
    await selling.firstSend;
    await selling.detach();
    await waitFor(() => asked.includes('second refused'), {
      message: 'the second buyer was asked',
      timeoutMs: 5_000,
    });

    const ends = (await leads.find().toArray()).map((lead) => Number(lead.lease_until));
    const validUntil = Date.now() + lease.validUntilMs - performance.now();
    expect(ends).toHaveLength(2);
    for (const end of ends) expect(end).toBeGreaterThanOrEqual(validUntil - 5);
    expect(validUntil).toBeGreaterThan(Date.now() + LEASE_MS);
    answerAll();
    await selling.done;
    const sold = await leads.find({ status: 'ACCEPTED' }).toArray();
    expect(sold.map(({ buyer_id }) => buyer_id).sort()).toEqual(['first', 'second']);
  });
});

describe('a lead for which no buyer can be asked now', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** One lead's buyer is healthy, the other's is unavailable: that lead is parked once `parking` resolves. */
  const aScene = async (parking: () => Promise<void>) => {
    const signing_secret = sealedBefore(SECRET, 'secret');
    const [well, resting] = ['well', 'resting'].map((buyer_id) =>
      aBuyer({ buyer_id, signing_secret, delivery: aWebhook({ url: buyer_id }) }),
    );
    const plan = aPlan({ buyers: [well, resting].flatMap((terms) => terms ?? []) });
    const { leads, destinations } = database.collections;
    const id = randomUUID();
    await destinations.updateOne(
      { _id: 'resting' },
      { $set: { open_until: new Date(Date.now() + 60_000) } },
      { upsert: true },
    );
    const lease: Lease = { id, validUntilMs: performance.now() + LEASE_MS };
    const tasks = plan.buyers.map((terms): Task => {
      const lead = aLead({ run: id, takes: 1, lease_until: new Date(Date.now() + LEASE_MS) });
      const state = { nextAttempt: 1, missed: [], trail: [], sold: 0 };
      return { lead, plan, supplier: aSupplier(), candidates: [terms], ...state };
    });
    await leads.insertMany(tasks.map(({ lead }) => lead));
    const reply = { kind: 'answered' as const, status: 200, headers: {}, body: '' };
    const made = screeningDeps(database, () => Promise.resolve(reply));
    const { deliveries } = made;
    const open: typeof deliveries.insertAttempts = async (rows) => {
      if (rows.some(({ state }) => state === 'parked')) await parking();
      return deliveries.insertAttempts(rows);
    };
    const deps = { ...made, deliveries: { ...deliveries, insertAttempts: open } };
    const [sold, waiting] = tasks.map(({ lead }) => lead) as [Lead, Lead];
    return { selling: new GroupSale({ tasks }, lease, deps), leads, sold, waiting };
  };

  it('does not delay others: they are sold meanwhile', async () => {
    let park: () => void = () => undefined;
    const parked = new Promise<void>((resolve) => (park = resolve));
    const { selling, leads, sold, waiting } = await aScene(() => parked);
    await waitFor(() => selling.verdictOf(sold).status === 'ACCEPTED', {
      message: 'the other is sold',
      timeoutMs: 5_000,
    });
    expect(selling.verdictOf(waiting).status).toBe('OPEN');
    expect(await leads.findOne({ _id: sold._id })).toMatchObject({ status: 'ACCEPTED' });
    park();
    await selling.done;
    expect(selling.verdictOf(waiting)).toEqual({ id: waiting._id, status: 'PENDING' });
    expect(await leads.findOne({ _id: waiting._id })).toMatchObject({
      status: 'PENDING',
      run: null,
    });
  });

  it('is left to the next lease when it cannot be parked, and the error is thrown at the end', async () => {
    const { selling, sold, waiting } = await aScene(() => Promise.reject(new Error('no database')));
    await expect(selling.done).rejects.toThrow('no database');
    expect(selling.verdictOf(sold)).toEqual({
      id: sold._id,
      status: 'ACCEPTED',
      buyer_id: 'well',
    });
    expect((await selling.detach()).open).toEqual([waiting._id]);
  });
});

describe('the health of a buyer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** Six leads for one buyer; the database refuses the results `faults` times. */
  const sendSix = async (buyer_id: string, reply: TransportReply, faults = 0) => {
    const signing_secret = sealedBefore(SECRET, 'secret');
    const terms = aBuyer({ buyer_id, signing_secret, delivery: aWebhook({ url: buyer_id }) });
    const plan = aPlan({ buyers: [terms] });
    const lease: Lease = { id: randomUUID(), validUntilMs: performance.now() + LEASE_MS };
    const tasks = Array.from({ length: 6 }, (): Task => {
      const lead = aLead({ run: lease.id, takes: 1, lease_until: new Date(Date.now() + LEASE_MS) });
      const state = { nextAttempt: 1, missed: [], trail: [], sold: 0 };
      return { lead, plan, supplier: aSupplier(), candidates: [terms], ...state };
    });
    await database.collections.leads.insertMany(tasks.map(({ lead }) => lead));
    const made = screeningDeps(database, () => Promise.resolve(reply));
    let left = faults;
    const settle: typeof made.deliveries.settle = (...given) =>
      left-- > 0 ? Promise.reject(new Error('no database')) : made.deliveries.settle(...given);
    const deps = { ...made, deliveries: { ...made.deliveries, settle } };
    await new GroupSale({ tasks }, lease, deps).done;
    const rows = await database.collections.deliveries.find({ buyer_id }).toArray();
    expect(rows.map(({ state }) => state)).toEqual(tasks.map(() => 'parked'));
    return (await deps.destinations.get([buyer_id])).get(buyer_id);
  };

  it('is not worse for what this process was too late to send', async () => {
    const late = { kind: 'not_sent', reason: 'no connection in time', late: true } as const;
    const buyer = await sendSix('late', late);
    expect(buyer).toMatchObject({ failures: 0, open_until: null });
    expect(buyer).not.toHaveProperty('paused_at', expect.any(Date));
    const refused = { kind: 'not_sent', reason: 'connect ECONNREFUSED' } as const;
    expect(await sendSix('refusing', refused)).toMatchObject({
      failures: 6,
      paused_at: expect.any(Date),
    });
  });

  it('counts an answer once, however often its result cannot be stored', async () => {
    const busy = { kind: 'answered', status: 503, headers: {}, body: '' } as const;
    expect(await sendSix('busy', busy, 2)).toMatchObject({ failures: 6 });
  });
});
