/** The use of caps as operators see it: the numbers that routing compares, and what of them is in flight. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { readCapUsage, type CapUsageRow } from '../../../src/routing/readCapUsage.js';
import { capMoment, capUsage, shareUsed } from '../../../src/routing/rules/capUsage.js';
import {
  buyerCap,
  campaignCap,
  createCapStore,
  supplierCap,
} from '../../../src/routing/store/caps.js';
import { readCapUse } from '../../../src/routing/store/capUse.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { TEST_ZONE } from '../../support/org.js';
import { before, NOW } from '../../support/storedRows.js';

const KEYS = windowKeys(NOW, TEST_ZONE);
const NEXT_HOUR = new Date(Number(NOW) + 3_600_000);

describe('the use of caps', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const count = async (id: string, amounts: readonly number[], settled: number) => {
    const store = createCapStore(database.collections.caps);
    const candidates = amounts.map((amount, n) => ({ hold_id: `${id}:${n}`, fence: 1, amount }));
    await store.reserve({ id, limits: {}, keys: KEYS, candidates });
    await store.commit(id, candidates.slice(0, settled));
  };
  const usageAt = async (id: string, limits: object, now: Date) => {
    const use = (await readCapUse(database.collections.caps, [id])).get(id);
    return capUsage(limits, use, capMoment(now, TEST_ZONE)).map(
      ({ window, of, used, held, left }) => [window, of, used, held, left],
    );
  };

  it('counts what is settled and what is in flight, and shows the latter apart', async () => {
    const id = buyerCap('campaign', 'counted');
    await count(id, [10, 20, 30], 1);
    const limits = { hourly_cap: 5, daily_budget: 100, total_cap: 3 };
    expect(await usageAt(id, limits, NOW)).toEqual([
      ['hour', 'count', 3, 2, 2],
      ['day', 'budget', 60, 50, 40],
      ['total', 'count', 3, 2, 0],
    ]);
  });

  it('has nothing in flight in a window that has begun since', async () => {
    const id = buyerCap('campaign', 'earlier');
    await count(id, [10, 20], 0);
    const limits = { hourly_cap: 5, daily_cap: 5 };
    expect(await usageAt(id, limits, NEXT_HOUR)).toEqual([
      ['hour', 'count', 0, 0, 5],
      ['day', 'count', 2, 2, 3],
    ]);
  });

  it('is nothing of a link that has counted nothing', async () => {
    expect(await usageAt(buyerCap('campaign', 'new'), { daily_cap: 2 }, NOW)).toEqual([
      ['day', 'count', 0, 0, 2],
    ]);
    expect(shareUsed({ limit: 0, used: 0 })).toBe(1);
    expect(shareUsed({ limit: 8, used: 2 })).toBe(0.25);
  });
});

describe('the list of limits', () => {
  let database: TestDatabase;
  const org_id = 'org';
  beforeAll(async () => {
    database = await openDatabase();
    const { campaigns, campaignBuyers, campaignSuppliers } = database.collections;
    const campaign = (n: number, owner = org_id) => ({
      _id: `c${n}`,
      org_id: owner,
      name: `Campaign ${n}`,
      // Three of each instant.
      created_at: before(Math.floor(n / 3) * 1_000),
      caps: n % 2 ? { daily_cap: 10, daily_budget: 500 } : {},
    });
    const link = (n: number, owner: string, caps: object) => ({
      _id: `c${n}:${owner}`,
      org_id,
      campaign_id: `c${n}`,
      caps,
    });
    const all = Array.from({ length: 50 }, (_, n) => n);
    await campaigns.insertMany([...all.map((n) => campaign(n)), campaign(99, 'other')] as never[]);
    await campaignBuyers.insertMany(
      all.flatMap((n) => [
        { ...link(n, 'b1', { hourly_cap: 3, total_cap: 9 }), buyer_id: 'b1' },
        { ...link(n, 'b2', {}), buyer_id: 'b2' },
      ]) as never[],
    );
    await campaignSuppliers.insertMany(
      all
        .filter((n) => n % 5 === 0)
        .map((n) => ({ ...link(n, 's1', { monthly_cap: 7 }), supplier_id: 's1' })) as never[],
    );
    const store = createCapStore(database.collections.caps);
    for (const id of [campaignCap('c1'), buyerCap('c1', 'b1'), supplierCap('c5', 's1')])
      await store.reserve({
        id,
        limits: {},
        keys: KEYS,
        candidates: [{ hold_id: `${id}:1`, fence: 1, amount: 40 }],
      });
  });
  afterAll(() => database.drop());

  const read = async (filter: object, after: CapUsageRow['place'] | null = null) => {
    const rows: CapUsageRow[] = [];
    const asked = { filter: { org_id, ...filter }, timeZone: TEST_ZONE, after };
    for await (const some of readCapUsage(database.collections, asked, NOW)) rows.push(...some);
    return rows;
  };

  it('has every limit of the organization, once, in one order', async () => {
    const rows = await read({});
    expect(rows).toHaveLength(25 * 2 + 50 * 2 + 10);
    expect(new Set(rows.map(({ place }) => place.id)).size).toBe(rows.length);
    const used = rows.filter((row) => row.used > 0);
    expect(
      used
        .map(({ scope, campaign_id, window, of, used: n }) => [scope, campaign_id, window, of, n])
        .sort(),
    ).toEqual([
      ['buyer', 'c1', 'hour', 'count', 1],
      ['buyer', 'c1', 'total', 'count', 1],
      ['campaign', 'c1', 'day', 'budget', 40],
      ['campaign', 'c1', 'day', 'count', 1],
      ['supplier', 'c5', 'month', 'count', 1],
    ]);
  });

  it('goes on after any row', async () => {
    const rows = await read({});
    for (const n of [0, 1, 2, 58, 59, 60, rows.length - 1])
      expect((await read({}, rows[n]?.place ?? null)).map(({ place }) => place.id)).toEqual(
        rows.slice(n + 1).map(({ place }) => place.id),
      );
  });

  it('is limited to a campaign, a buyer, a supplier', async () => {
    const scopes = (rows: CapUsageRow[]) => [...new Set(rows.map(({ scope }) => scope))];
    expect(scopes(await read({ campaign_id: 'c5' }))).toEqual(['campaign', 'buyer', 'supplier']);
    expect(await read({ campaign_id: 'c99' })).toEqual([]);
    const ofSupplier = await read({ supplier_id: 's1' });
    expect([ofSupplier.length, scopes(ofSupplier)]).toEqual([10, ['supplier']]);
    const ofBuyer = await read({ buyer_id: 'b1', campaign_id: 'c2' });
    expect(ofBuyer.map(({ window }) => window)).toEqual(['hour', 'total']);
    expect(await read({ buyer_id: 'unknown' })).toEqual([]);
  });
});
