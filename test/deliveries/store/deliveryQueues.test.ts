import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import {
  createDeliveryStore,
  type DeliveryStore,
} from '../../../src/deliveries/store/deliveries.js';
import { createQueueStore } from '../../../src/deliveries/store/queue.js';
import { after, aRow, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('queues of delivery rows', () => {
  let database: TestDatabase;
  let deliveries: DeliveryStore;

  beforeAll(async () => {
    database = await openDatabase();
    deliveries = createDeliveryStore(database.collections.deliveries);
  });
  afterAll(() => database.drop());

  const stored = async (overrides: Partial<DeliveryDoc> = {}): Promise<string> => {
    const row = aRow(overrides);
    await database.collections.deliveries.insertOne(row);
    return row._id;
  };
  const idsOf = (rows: readonly DeliveryDoc[]) => rows.map((row) => row._id);

  it('lists due rows, newest first, of this buyer only', async () => {
    const buyer_id = randomUUID();
    const parked = { buyer_id, state: 'parked' as const, due_at: NOW };
    const older = await stored({ ...parked, created_at: before(2) });
    const newer = await stored({ ...parked, created_at: before(1) });
    await stored({ ...parked, due_at: after(1) });
    await stored({ ...parked, expires_at: NOW });
    await stored({ ...parked, state: 'unknown' });
    await stored({ ...parked, buyer_id: randomUUID() });
    expect(idsOf(await deliveries.due(buyer_id, NOW, 10))).toEqual([newer, older]);
    expect(idsOf(await deliveries.due(buyer_id, NOW, 1))).toEqual([newer]);
  });

  it('ends waiting rows past their age limit once', async () => {
    const buyer_id = randomUUID();
    const aged = { buyer_id, expires_at: NOW };
    const waiting = [
      await stored({ ...aged, state: 'parked' }),
      await stored({ ...aged, state: 'unknown' }),
    ];
    const others = [
      await stored({ ...aged, state: 'sending' }),
      await stored({ ...aged, state: 'accepted' }),
      await stored({ buyer_id, state: 'parked' }),
    ];
    const found = idsOf(await deliveries.aged(buyer_id, NOW, 10));
    expect(new Set(found)).toEqual(new Set(waiting));
    const claimAndEnd = async (run: string) => {
      await deliveries.claimWaiting(found, run);
      return deliveries.expire(found, run, NOW);
    };
    const ended = await Promise.all(['run-2', 'run-3'].map(claimAndEnd));
    expect(ended.flatMap((ids) => [...ids]).sort()).toEqual([...waiting].sort());
    expect(await deliveries.claimWaiting(others.slice(0, 2), 'run-4')).toEqual(new Set());
    expect(await deliveries.expire(others, 'run-4', NOW)).toEqual(new Set());
  });

  it('returns how many wait, when the next is due and when the next expires', async () => {
    const buyer_id = randomUUID();
    const backlog = () => deliveries.backlog(buyer_id, 10);
    const none = { parked: 0, held: 0, unknown: 0 };
    expect(await backlog()).toEqual({ ...none, waiting: 0, oldest: null, due: null, ends: null });
    await stored({ buyer_id, state: 'unknown', expires_at: after(500) });
    expect(await backlog()).toEqual({
      ...none,
      unknown: 1,
      waiting: 1,
      oldest: NOW,
      due: null,
      ends: after(500),
    });
    const parked = { buyer_id, state: 'parked' as const };
    await stored({ ...parked, due_at: after(300), expires_at: after(900) });
    await stored({ ...parked, due_at: after(400), expires_at: after(200) });
    const held = await stored({ ...parked, created_at: before(700), due_at: after(0) });
    await createQueueStore(database.collections.deliveries).hold([held]);
    expect(await backlog()).toEqual({
      parked: 3,
      held: 1,
      unknown: 1,
      waiting: 4,
      oldest: before(700),
      due: after(300),
      ends: after(200),
    });
    expect((await deliveries.backlog(buyer_id, 2)).waiting).toBe(2);
  });
});
