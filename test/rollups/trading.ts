/** Leads that reports count, changed as the service changes them. */
import type { Lead } from '../../src/domain/lead.js';
import type { Collections } from '../../src/store/collections.js';
import { leadStore } from '../../src/store/leads.js';
import { aLead, NOW } from '../store/builders.js';

/** @param collections asked for with each call: a database is opened after its tests are told */
export function tradeIn(collections: () => Pick<Collections, 'leads'>) {
  const store = () => leadStore(collections().leads);
  /** A lead that the run `run` has taken. */
  const owned = (id: string, more: Partial<Lead> = {}): Lead =>
    aLead({ _id: id, run: 'run', fields: { state: 'CA' }, ...more });
  const sell = (leadId: string, attempt = 1, maxSells = 1) =>
    store().sell(
      [
        {
          ...{ leadId, maxSells, profit: 6, trail: [] },
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
    await store().hand('run', [{ leadId: id(3), trail: [] }], NOW);
  };
  return { store, owned, sell, refuse, trade };
}
