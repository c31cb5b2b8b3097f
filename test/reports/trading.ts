/** Leads that reports count, changed as the service changes them, in a database that is emptied for each test. */
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { rollUp } from '../../src/reports/rollUp.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { openDatabase } from '../support/database.js';
import { aLead, NOW } from '../support/storedRows.js';
import { dueSums, rollDeps, storedSums } from './rolled.js';

export const LONG = { withinMs: 20_000 };

/** Called within `describe`. The database exists when its tests run. */
export function openTrade() {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    opened = await openDatabase();
  });
  afterAll(() => opened.drop());
  const database = {
    get collections() {
      return opened.collections;
    },
  };
  beforeEach(async () => {
    const { leads, rollups, rollupState } = database.collections;
    await Promise.all([leads.deleteMany({}), rollups.deleteMany({}), rollupState.deleteMany({})]);
  });

  const roll = (collections = database.collections) => rollUp(rollDeps(collections), LONG);
  /** Expects every lead counted, with the right sums. Returns them. */
  const expectRight = async () => {
    const due = await dueSums(database.collections);
    expect(await storedSums(database.collections)).toEqual(due);
    expect(await database.collections.leads.countDocuments({ uncounted: true })).toBe(0);
    return due;
  };
  const store = () => createLeadStore(database.collections.leads);
  /** A lead that the run `run` has acquired. */
  const owned = (id: string, more: Partial<Lead> = {}): Lead =>
    aLead({ _id: id, run: 'run', fields: { state: 'CA' }, ...more });
  const sell = (leadId: string, attempt = 1, maxSells = 1) =>
    store().sell(
      [
        {
          leadId,
          maxSells,
          profit: 6,
          trail: [],
          sale: { buyer_id: `buyer-${attempt}`, attempt, price: 10, cost: 4, at: NOW },
        },
      ],
      NOW,
    );
  const refuse = (leadId: string) =>
    store().decide('run', [{ leadId, status: 'UNMATCHED', trail: [] }], NOW);
  /** Leads of every kind. */
  const trade = async (prefix: string): Promise<void> => {
    const id = (n: number) => `${prefix}-${n}`;
    await store().insert([0, 1, 2, 3, 4, 5].map((n) => owned(id(n), { is_test: n === 5 })));
    await Promise.all([sell(id(0)), sell(id(1), 1, 2), refuse(id(2)), sell(id(5))]);
    await store().park('run', [{ leadId: id(3), trail: [] }], NOW);
  };
  return { database, roll, expectRight, store, owned, sell, refuse, trade };
}
