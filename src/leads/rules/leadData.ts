import { fromMicros } from '../../fields/money.js';
import type { Lead } from './lead.js';
import type { LeadFacts } from './leadEvents.js';

/** The parts of a lead that an event shows, or that decide who is told of it. */
export type ToldLead = Pick<
  Lead,
  | '_id'
  | 'org_id'
  | 'campaign_id'
  | 'supplier_id'
  | 'is_test'
  | 'fields'
  | 'extra'
  | 'created_at'
  | 'duplicate_of'
>;

/** The whole lead as its organisation sees it, money in its currency. The same event gives the same data always. */
export function leadData(lead: ToldLead, facts: LeadFacts): Record<string, unknown> {
  const { campaign_id, supplier_id, is_test, fields, extra } = lead;
  return {
    ...{ lead_id: lead._id, campaign_id, supplier_id, is_test },
    ...{ status: facts.status, outcome: facts.outcome, buyer_id: facts.buyer_id },
    price: fromMicros(facts.price),
    revenue: fromMicros(facts.revenue),
    cost: fromMicros(facts.cost),
    profit: fromMicros(facts.revenue - facts.cost),
    // Of a lead that has just come nothing is known: what is found later must not change what is said again.
    duplicate_of: facts.status === 'NEW' ? null : (lead.duplicate_of ?? null),
    ...{ fields, extra },
    created_at: lead.created_at.toISOString(),
  };
}

/** The same of a lead, and of its n-th event, always: however often it is told, it is one event. */
export const leadEventId = (leadId: string, n: number): string => `evt_${leadId}_${String(n)}`;
