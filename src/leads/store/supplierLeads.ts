/** A supplier's view of the leads that it posted, with the answers that it received. */
import type { Collection } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import { ANSWER_FIELDS, type LeadAnswer } from './leads.js';

/** A supplier's posted lead, its answer, and its status. */
export type SupplierLead = LeadAnswer &
  Pick<Lead, 'is_test' | 'created_at' | 'price' | 'cost' | 'outcome'> & {
    ping?: Pick<NonNullable<Lead['ping']>, 'reveal_buyers' | 'ping_id'>;
  };

const FIELDS = {
  ...ANSWER_FIELDS,
  'ping.ping_id': 1,
  is_test: 1,
  created_at: 1,
  price: 1,
  cost: 1,
  outcome: 1,
} as const;

export function createSupplierLeads(
  leads: Collection<Lead>,
  { org_id, supplier_id }: Pick<Lead, 'org_id' | 'supplier_id'>,
) {
  const posted = { org_id, supplier_id, resale: { $exists: false } };
  return {
    /** The leads among these ids that the supplier has posted; a resold lead is not one of them. */
    async get(ids: readonly string[]): Promise<Map<string, SupplierLead>> {
      if (ids.length === 0) return new Map();
      const found = await leads
        .find<SupplierLead>({ ...posted, _id: { $in: [...new Set(ids)] } }, { projection: FIELDS })
        .toArray();
      return new Map(found.map((lead) => [lead._id, lead]));
    },
    /** One with everything that was posted; null: the supplier has no such lead. */
    whole: (_id: string): Promise<(SupplierLead & Pick<Lead, 'fields' | 'extra'>) | null> =>
      leads.findOne<SupplierLead & Pick<Lead, 'fields' | 'extra'>>(
        { ...posted, _id },
        { projection: { ...FIELDS, fields: 1, extra: 1 } },
      ),
  };
}
