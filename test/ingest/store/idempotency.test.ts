import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/lib/errors.js';
import {
  createIdempotencyStore,
  type IdempotencyStore,
} from '../../../src/ingest/store/idempotency.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const EXPIRES = new Date('2026-06-02T12:00:00Z');
const WORKERS = 6;
const ROUNDS = 60;

const rowOf = (key: string, lead_id: string) => ({
  _id: key,
  lead_id,
  body_hash: 'hash',
  expires_at: EXPIRES,
});

describe('idempotency keys', () => {
  let database: TestDatabase;
  let keys: IdempotencyStore;

  beforeAll(async () => {
    database = await openDatabase();
    keys = createIdempotencyStore(database.collections.idempotency);
  });
  afterAll(() => database.drop());

  it('returns the existing rows, and inserts the others', async () => {
    await keys.claim([rowOf('taken', 'first')]);
    const earlier = await keys.claim([rowOf('taken', 'second'), rowOf('new', 'second')]);
    expect([...earlier.values()]).toEqual([rowOf('taken', 'first')]);
    expect(await keys.get('new')).toEqual(rowOf('new', 'second'));
  });

  it('has the row of the process that claims a key while others release it', async () => {
    const won: string[] = [];
    const without: string[] = [];
    const work = async (worker: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        const mine = rowOf('contested', `lead-${worker}-${round}`);
        const earlier = await keys.claim([mine]).catch((error: unknown) => {
          // While the key keeps changing hands, a claim is refused rather than confirmed.
          if (error instanceof AppError && error.code === 'unavailable') return null;
          throw error;
        });
        if (!earlier || earlier.has(mine._id)) continue;
        won.push(mine.lead_id);
        const stored = await keys.get(mine._id);
        if (stored?.lead_id !== mine.lead_id) without.push(mine.lead_id);
        await keys.free([mine]);
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
    expect(won.length).toBeGreaterThan(0);
    expect(without).toEqual([]);
  });
});
