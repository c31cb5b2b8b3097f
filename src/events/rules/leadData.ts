/** The data of a lead's event, as it is sent. */
import { fromMicros } from '../../fields/money.js';
import type { Fields } from '../../fields/values.js';
import type { LeadFacts } from './leadFacts.js';

/** The parts of a lead that an event shows, or that decide which automations are notified. */
export interface EventLead {
  _id: string;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  is_test: boolean;
  fields: Fields;
  /** Fields outside the mapping. */
  extra: Fields;
  created_at: Date;
  duplicate_of?: string;
  /** When its supplier received `pending`: the promise of a later decision. */
  pending_at?: Date;
}

/** The whole lead as its organization sees it, money in its currency. The same event always gives the same data. */
export function leadData(lead: EventLead, facts: LeadFacts): Record<string, unknown> {
  const { campaign_id, supplier_id, is_test, fields, extra } = lead;
  return {
    lead_id: lead._id,
    campaign_id,
    supplier_id,
    is_test,
    status: facts.status,
    outcome: facts.outcome,
    buyer_id: facts.buyer_id,
    price: fromMicros(facts.price),
    revenue: fromMicros(facts.revenue),
    cost: fromMicros(facts.cost),
    profit: fromMicros(facts.revenue - facts.cost),
    // Not known yet for a lead that has just arrived: a value found later must not change a repeated event.
    duplicate_of: facts.status === 'NEW' ? null : (lead.duplicate_of ?? null),
    fields,
    extra,
    created_at: lead.created_at.toISOString(),
  };
}

/** The id of a lead's n-th event: it is one event, however often it is published. */
export const leadEventId = (leadId: string, n: number): string => `evt_${leadId}_${String(n)}`;
