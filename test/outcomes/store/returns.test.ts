import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ReturnDoc } from '../../../src/outcomes/store/returnDocs.js';
import { createReturnStore, type ReturnStore } from '../../../src/outcomes/store/returns.js';
import { NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const BY = { kind: 'user', name: 'Key' } as const;
const DECIDED = { resolved_at: NOW, resolved_by: BY, resolution_note: null };

let made = 0;
const aReturn = (overrides: Partial<ReturnDoc> = {}): ReturnDoc => {
  const { lead_id = `lead-${++made}`, buyer_id = 'buyer' } = overrides;
  return {
    _id: `${lead_id}:${buyer_id}:1`,
    org_id: 'org',
    lead_id,
    buyer_id,
    campaign_id: 'c',
    reason: 'other',
    note: null,
    state: 'requested',
    month: '2026-11',
    lead_day: '2026-11-21',
    created_at: NOW,
    requested_by: BY,
    ...overrides,
  };
};

describe('the counter of a month', () => {
  let database: TestDatabase;
  /** Two processes. */
  let stores: ReturnStore[];

  beforeAll(async () => {
    database = await openDatabase();
    stores = [createReturnStore(database.collections), createReturnStore(database.collections)];
  });
  afterAll(() => database.drop());

  const store = (n = 0): ReturnStore => {
    const found = stores[n % stores.length];
    if (!found) throw new Error('no store');
    return found;
  };
  const countOf = async (buyer_id: string) =>
    (await database.collections.returnCounts.findOne({ _id: `${buyer_id}:2026-11` }))?.count;
  const storedOf = (buyer_id: string) =>
    database.collections.returns.countDocuments({ buyer_id, state: { $ne: 'rejected' } });

  it('accepts 10 of 50 concurrent requests, and stores no other', async () => {
    const asked = Array.from({ length: 50 }, () => aReturn({ buyer_id: 'crowded' }));
    const said = await Promise.all(asked.map((one, n) => store(n).add(one, 10)));
    expect(said.filter((one) => one === 'added')).toHaveLength(10);
    expect(said.filter((one) => one === 'full')).toHaveLength(40);
    expect(await storedOf('crowded')).toBe(10);
    expect(await countOf('crowded')).toBe(10);
  });

  it('stores one of 20 concurrent requests for the same lead, and counts it once', async () => {
    const one = aReturn({ buyer_id: 'twice' });
    const said = await Promise.all(
      Array.from({ length: 20 }, (_, n) => store(n).add({ ...one }, null)),
    );
    expect(said.filter((word) => word === 'added')).toHaveLength(1);
    expect(said.filter((word) => word === 'taken')).toHaveLength(19);
    expect(await countOf('twice')).toBe(1);
  });

  it('gives the place of a rejected request to another, once', async () => {
    const one = aReturn({ buyer_id: 'again' });
    await store().add(one, 1);
    expect(await store().add(aReturn({ buyer_id: 'again' }), 1)).toBe('full');
    const rejected = await Promise.all(
      Array.from({ length: 10 }, (_, n) => store(n).reject(one._id, DECIDED)),
    );
    expect(rejected.filter((doc) => doc !== null)).toHaveLength(1);
    expect(await countOf('again')).toBe(0);
    expect(await store().add(aReturn({ buyer_id: 'again' }), 1)).toBe('added');
  });

  it('is correct under concurrent requests and rejections', async () => {
    const most = 5;
    const asked = Array.from({ length: 40 }, () => aReturn({ buyer_id: 'busy' }));
    await Promise.all(
      asked.map(async (one, n) => {
        const word = await store(n).add(one, most);
        if (word === 'added' && n % 2 === 0) await store(n + 1).reject(one._id, DECIDED);
      }),
    );
    const kept = await storedOf('busy');
    expect(kept).toBeLessThanOrEqual(most);
    expect(await countOf('busy')).toBe(kept);
  });

  it('accepts one verdict of many, and no other after it', async () => {
    const one = aReturn({ buyer_id: 'judged' });
    await store().add(one, null);
    const said = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        n % 2 === 0 ? store(n).accept(one._id, DECIDED) : store(n).reject(one._id, DECIDED),
      ),
    );
    const [final] = said.filter((doc) => doc !== null);
    expect(said.filter((doc) => doc !== null)).toHaveLength(1);
    expect(await store().get('org', one._id)).toEqual(final);
    expect(await countOf('judged')).toBe(final?.state === 'accepted' ? 1 : 0);
  });

  it('counts no test leads', async () => {
    const { month, ...one } = aReturn({ buyer_id: 'tester' });
    expect([month, await store().add(one, null)]).toEqual(['2026-11', 'added']);
    await store().reject(one._id, DECIDED);
    expect(await countOf('tester')).toBeUndefined();
  });
});
