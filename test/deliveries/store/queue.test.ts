import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import {
  createDeliveryStore,
  type DeliveryStore,
} from '../../../src/deliveries/store/deliveries.js';
import { createQueueStore, type QueueStore } from '../../../src/deliveries/store/queue.js';
import { NEVER_DUE } from '../../../src/deliveries/store/waiting.js';
import { after, aRow, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe("a buyer's queue", () => {
  let database: TestDatabase;
  let deliveries: DeliveryStore;
  let queue: QueueStore;
  beforeAll(async () => {
    database = await openDatabase();
    deliveries = createDeliveryStore(database.collections.deliveries);
    queue = createQueueStore(database.collections.deliveries);
  });
  afterAll(() => database.drop());

  const stored = async (overrides: Partial<DeliveryDoc>): Promise<string> => {
    const row = aRow(overrides);
    await database.collections.deliveries.insertOne(row);
    return row._id;
  };
  const rowOf = (id: string) => database.collections.deliveries.findOne({ _id: id });

  it('does not put off rows that an operator holds', async () => {
    const parked = { state: 'parked' as const, due_at: NOW };
    const [held, other] = [await stored(parked), await stored(parked)];
    expect(await queue.hold([held])).toBe(1);
    await deliveries.putOff([held, other], after(1));
    expect(await rowOf(held)).toMatchObject({ held: true, due_at: NEVER_DUE });
    expect(await rowOf(other)).toMatchObject({ due_at: after(1) });
    expect(await queue.makeDue([held, other], after(2))).toBe(2);
    expect(await rowOf(held)).toMatchObject({ due_at: after(2) });
    expect(await rowOf(held)).not.toHaveProperty('held');
  });

  it('returns the rows that waited at a time, parked or unknown, except excluded ones', async () => {
    const buyer_id = randomUUID();
    const parked = await stored({ buyer_id, state: 'parked', created_at: before(5) });
    const unknown = await stored({ buyer_id, state: 'unknown', created_at: NOW });
    await stored({ buyer_id, state: 'parked', created_at: after(1) });
    await stored({ buyer_id, state: 'sending', created_at: before(5) });
    const found = async (but: string[]) =>
      (await queue.waiting(buyer_id, NOW, but, 10)).map(({ _id }) => _id).sort();
    expect(await found([])).toEqual([parked, unknown].sort());
    expect(await found([parked])).toEqual([unknown]);
  });

  it('lists each kind, newest first', async () => {
    const buyer_id = randomUUID();
    const old = await stored({ buyer_id, state: 'parked', created_at: before(9), due_at: NOW });
    const held = await stored({ buyer_id, state: 'parked', created_at: before(5), due_at: NOW });
    const unknown = await stored({ buyer_id, state: 'unknown', created_at: before(7) });
    await queue.hold([held, unknown]);
    const list = async (kind?: 'parked' | 'unknown' | 'held', limit = 10) =>
      (await queue.list(buyer_id, kind, limit)).map(({ _id }) => _id);
    expect(await list()).toEqual([held, unknown, old]);
    expect(await list('parked')).toEqual([held, old]);
    expect(await list('unknown')).toEqual([unknown]);
    expect(await list('held')).toEqual([held]);
    expect(await list(undefined, 2)).toEqual([held, unknown]);
    expect(await queue.counts(buyer_id)).toEqual({ parked: 2, held: 1, unknown: 1 });
  });
});
