import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { createLeadStore, type LeadStore } from '../../../src/leads/store/leads.js';
import type { Sold } from '../../../src/leads/store/leadUpdates.js';
import { after, aLead, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const trail: TrailEntry[] = [{ at: NOW, step: 'delivery', result: 'accepted' }];

describe('selling a lead to more than one buyer', () => {
  let database: TestDatabase;
  let leads: LeadStore;

  beforeAll(async () => {
    database = await openDatabase();
    leads = createLeadStore(database.collections.leads);
  });
  afterAll(() => database.drop());

  const taken: Partial<Lead> = { run: 'run-1', lease_until: after(3_000), takes: 1 };
  const stored = async (overrides: Partial<Lead>): Promise<string> => {
    const lead = aLead(overrides);
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };
  const get = (id: string) => database.collections.leads.findOne({ _id: id });
  const aSale = (leadId: string, attempt: number, maxSells: number): Sold => ({
    leadId,
    maxSells,
    trail,
    profit: 6,
    sale: { buyer_id: `buyer-${attempt}`, attempt, price: 10, cost: 4, at: NOW },
  });
  const sellTwo = async (id: string) => {
    await leads.sell([aSale(id, 1, 3)], NOW);
    await leads.sell([aSale(id, 2, 3)], after(1));
  };

  it('sums the sales, and keeps the lease of the lead until the last', async () => {
    const id = await stored(taken);
    await sellTwo(id);
    const lease = { run: 'run-1', lease_until: taken.lease_until };
    const sums = { price: 20, cost: 8, profit: 12, buyer_id: 'buyer-1', decided_at: NOW };
    expect(await get(id)).toMatchObject({ status: 'SELLING', ...sums, ...lease });
    await leads.sell([aSale(id, 3, 3)], after(2));
    expect(await get(id)).toMatchObject({
      status: 'ACCEPTED',
      price: 30,
      run: null,
      sales: [{ buyer_id: 'buyer-1' }, { buyer_id: 'buyer-2' }, { buyer_id: 'buyer-3' }],
    });
  });

  it('records each sale once, however often and in whatever order it is reported', async () => {
    const id = await stored(taken);
    const told = [2, 1, 2, 1, 1, 2].map((n) => aSale(id, n, 3));
    await Promise.all(told.map((sale) => leads.sell([sale], NOW)));
    const lead = await get(id);
    expect(lead).toMatchObject({ status: 'SELLING', price: 20 });
    expect(lead?.sales.map(({ attempt }) => attempt).sort()).toEqual([1, 2]);
  });

  it('ends ACCEPTED when no other buyer accepts it, also a promised lead', async () => {
    const [plain, promised] = [await stored(taken), await stored({ ...taken, pending_at: NOW })];
    await Promise.all([sellTwo(plain), sellTwo(promised)]);
    const decided = [plain, promised].map((leadId) => ({
      leadId,
      status: 'UNMATCHED' as const,
      trail,
    }));
    await leads.decide('run-1', decided, after(9));
    for (const id of [plain, promised]) {
      expect(await get(id)).toMatchObject({ status: 'ACCEPTED', decided_at: NOW, run: null });
    }
  });

  it('waits for a further buyer without a promise, and is resumed from there', async () => {
    const id = await stored(taken);
    await sellTwo(id);
    await leads.park('run-1', [{ leadId: id, trail }], NOW);
    const waiting = await get(id);
    expect(waiting).toMatchObject({ status: 'SELLING', run: null });
    expect(waiting).not.toHaveProperty('pending_at');
    expect(await leads.acquireWaiting([id], 'run-2', after(9), NOW)).toHaveLength(1);
  });

  it('owes its one cost for a further sale, once the sales before it were returned and their cost reversed', async () => {
    const reversed = { at: NOW, return_id: 'r', cost_reversed: true };
    const further = (id: string): Sold => {
      const sold = aSale(id, 2, 3);
      return { ...sold, sale: { ...sold.sale, cost: 0 }, profit: 10, owed: 4 };
    };
    const first = { ...aSale('', 1, 3).sale, returned: reversed, revenue: 0 };
    const id = await stored({ ...taken, status: 'SELLING', sales: [first] });
    const kept = { ...first, returned: { ...reversed, cost_reversed: false } };
    const other = await stored({ ...taken, status: 'SELLING', sales: [kept], cost: 4, profit: -4 });
    await leads.sell([further(id), further(other)], NOW);
    await leads.sell([further(id)], NOW);
    const lead = await get(id);
    expect(lead).toMatchObject({
      price: 10,
      cost: 4,
      profit: 6,
      sales: [first, { cost: 0, carries: 4 }],
    });
    expect(lead).not.toHaveProperty('owes');
    const paid = await get(other);
    expect(paid).toMatchObject({ price: 10, cost: 4, profit: 6 });
    expect(paid?.sales[1]).not.toHaveProperty('carries');
  });
});
