/** A drain and a lead that two runs continued from the same attempt. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendBatch } from '../../src/distribution/drainBatch.js';
import { resumeLeads } from '../../src/distribution/resumeLeads.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';
import { answers, aLease, LEASE_MS, leadWithTwoLeases } from './twoLeases.js';

describe('a drain of a lead that has two attempts', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const aScene = (lead: Partial<Lead>) => leadWithTwoLeases(database, lead);

  /** Drains the parked attempt with the first buyer, which is due. */
  const drainFirst = async (parked: DeliveryDoc, asked: string[]) => {
    const { collections } = database;
    const destination = await collections.destinations.findOneAndUpdate(
      { _id: 'first' },
      { $set: { asked: [parked._id] } },
      { upsert: true, returnDocument: 'after' },
    );
    return sendBatch('first', destination ?? undefined, {
      ...screeningDeps(database, answers(200, asked)),
      collections,
      queue: createQueueStore(collections.deliveries),
      background: { add: () => undefined },
    });
  };
  const waiting: Partial<Lead> = { status: 'PENDING', run: null, lease_until: null };

  it('leaves both to the next lease when one was opened while the other was already parked', async () => {
    const { lead, rowOf, rows, collections } = await aScene(waiting);
    const parked = rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date(0) });
    const late = rowOf({ buyer_id: 'next', n: 2, state: 'sending', answer_by: new Date(0) });
    await collections.deliveries.insertMany([parked, late]);
    const asked: string[] = [];
    const begun = new Date();
    expect(await drainFirst(parked, asked)).toMatchObject({ sent: 0 });
    expect(asked).toEqual([]);
    const left = await collections.leads.findOne({ _id: lead._id });
    expect(left).toMatchObject({ status: 'PENDING', run: expect.any(String) as unknown as string });
    expect(Number(left?.lease_until)).toBeGreaterThan(Number(begun));
    const [again] = await rows();
    expect(again?.state).toBe('parked');
    expect(Number(again?.due_at)).toBeGreaterThan(Number(begun));

    const deps = screeningDeps(database, answers(200, asked));
    const afterLease = new Date(Number(left?.lease_until) + 1);
    const [taken] = await deps.leads.acquire([lead._id], 'third', afterLease, afterLease);
    if (!taken) throw new Error('The lead was not taken up again');
    expect(taken).toMatchObject({ run: 'third' });
    const { verdicts } = await resumeLeads([taken], aLease('third'), deps);
    expect(verdicts).toMatchObject([{ id: lead._id, status: 'PENDING' }]);
    expect((await rows()).map(({ state }) => state)).toEqual(['failed', 'unknown']);
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({ run: null });
  });

  it.each([
    ['unknown', ['parked', 'unknown'], []],
    ['sending', ['parked', 'sending'], []],
    ['rejected', ['accepted', 'rejected'], ['first']],
  ] as const)(
    'sends the parked one only where no other buyer may have the lead (%s)',
    async (state, states, sentTo) => {
      const { lead, rowOf, rows, collections } = await aScene(waiting);
      const parked = rowOf({ buyer_id: 'first', state: 'parked', due_at: new Date(0) });
      const answer_by = new Date(Date.now() + LEASE_MS);
      const other = rowOf({ buyer_id: 'next', n: 2, state, answer_by });
      await collections.deliveries.insertMany([parked, other]);
      const asked: string[] = [];
      const { sent } = await drainFirst(parked, asked);
      expect({ sent, asked }).toEqual({ sent: sentTo.length, asked: sentTo });
      expect((await rows()).map((row) => row.state)).toEqual(states);
      expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject(
        sentTo.length > 0 ? { status: 'ACCEPTED' } : { status: 'PENDING', run: null },
      );
    },
  );
});
