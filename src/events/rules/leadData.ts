/** The data of a lead's event, as it is sent. */
import { fromMicros } from '../../fields/money.js';
import type { Fields } from '../../fields/values.js';
import type { LeadFacts } from './leadFacts.js';

/** The parts of a lead that an event shows, or that decide who is told of it. */
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
  /** When its supplier was promised a decision for later. */
  pending_at?: Date;
}

/** The whole lead as its organization sees it, money in its currency. The same event gives the same data always. */
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
    // Of a lead that has just come nothing is known: what is found later must not change what is said again.
    duplicate_of: facts.status === 'NEW' ? null : (lead.duplicate_of ?? null),
    fields,
    extra,
    created_at: lead.created_at.toISOString(),
  };
}

/** The id of a lead's n-th event: however often the event is published, it is one. */
export const leadEventId = (leadId: string, n: number): string => `evt_${leadId}_${String(n)}`;
