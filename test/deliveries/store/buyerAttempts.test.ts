import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { findAttempts, measureEach } from '../../../src/deliveries/store/buyerAttempts.js';
import type { BuyerDoc } from '../../../src/account/store/accountDocs.js';
import {
  DELIVERIES_OF_BUYER,
  LISTED_STATES,
} from '../../../src/deliveries/store/deliveryIndexes.js';
import type { Place } from '../../../src/platform/mongo/pages.js';
import { nameOf, record } from '../../app/queries/explain.js';
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

  describe('are measured for many buyers at once', () => {
    const ids = ['buyer', 'other-1', 'idle'];
    const measure = (of: { from: Date; limit: number }, { buyers, deliveries } = store()) =>
      measureEach(
        { buyers, deliveries },
        { org_id: 'org', buyer_ids: ids, from: of.from },
        of.limit,
      );
    const store = () => database.collections;

    beforeAll(async () => {
      await store().buyers.insertMany(
        ids.map((_id) => ({ _id, org_id: 'org', name: _id }) as BuyerDoc),
      );
    });

    it('the latest of each, of the time asked for', async () => {
      const found = await measure({ from: before(10_000), limit: 20 });
      const state = new Map(rows.map((row) => [row._id, row.state]));
      expect(found.get('buyer')).toEqual(
        newestFirst.slice(0, 20).map((id) => ({ state: state.get(id) })),
      );
      expect(found.get('other-1')).toEqual([{ state: 'accepted' }]);
      expect(found.get('idle')).toEqual([]);
      const recent = await measure({ from: before(1_000), limit: 20 });
      expect(recent.get('buyer')).toHaveLength(6);
    });

    it('by one command, which reads no other deliveries', async () => {
      const twin = await openDatabase({ monitorCommands: true });
      const { sent, during } = record(twin.client);
      await during('measureEach', () =>
        measure({ from: before(60_000), limit: 5 }, twin.collections),
      );
      await twin.drop();
      expect(sent).toHaveLength(1);
      const command = { explain: sent[0]?.command, verbosity: 'executionStats' };
      const { stages } = await database.db.command(command);
      expect((stages as Document[]).find(({ $lookup }) => $lookup)).toMatchObject({
        totalDocsExamined: 6,
        collectionScans: 0,
        indexesUsed: [nameOf(DELIVERIES_OF_BUYER)],
      });
    });
  });
});
