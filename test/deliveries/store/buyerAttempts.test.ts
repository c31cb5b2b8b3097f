import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findAttempts } from '../../../src/deliveries/store/buyerAttempts.js';
import { LISTED_STATES } from '../../../src/deliveries/store/deliveryIndexes.js';
import type { Place } from '../../../src/platform/mongo/pages.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aRow, before } from '../../support/storedRows.js';

const OWN = { org_id: 'org', buyer_id: 'buyer' };
const COUNT = 70;

describe("a buyer's attempts", () => {
  let database: TestDatabase;
  // Three rows are opened at each instant, in different states.
  const rows = Array.from({ length: COUNT }, (_, n) =>
    aRow({
      state: LISTED_STATES[(n * 5) % LISTED_STATES.length] ?? 'accepted',
      created_at: before(Math.floor(n / 3) * 1_000),
    }),
  );
  const newestFirst = rows
    .toSorted((a, b) => Number(b.created_at) - Number(a.created_at) || (a._id < b._id ? 1 : -1))
    .map(({ _id }) => _id);

  beforeAll(async () => {
    database = await openDatabase();
    await database.collections.deliveries.insertMany([
      ...rows,
      ...rows.map((_, n) => aRow({ state: 'accepted', buyer_id: `other-${n}` })),
    ]);
  });
  afterAll(() => database.drop());

  it.each([1, 7, COUNT, 2 * COUNT])(
    'come newest first, whatever their state, each on one page of %d',
    async (limit) => {
      const found: string[] = [];
      let after: Place | null = null;
      do {
        const page: Awaited<ReturnType<typeof findAttempts>> = await findAttempts(
          database.collections.deliveries,
          OWN,
          { after, limit },
        );
        found.push(...(page?.docs ?? []).map(({ _id }) => _id));
        after = page?.next ?? null;
      } while (after !== null);
      expect(found).toEqual(newestFirst);
    },
  );
});
