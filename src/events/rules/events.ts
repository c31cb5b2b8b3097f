/** What is told of what happens: the kinds of events, and what an event of a lead says. */
import type { Lead, LeadStatus } from '../../leads/rules/lead.js';
import type { Micros } from '../../account/rules/plan.js';
import { fromMicros } from '../../account/rules/pricing.js';
import type { SaleOutcome } from '../../leads/rules/saleChange.js';

export const LEAD_EVENTS = [
  'lead.created',
  'lead.accepted',
  'lead.rejected',
  'lead.unmatched',
  'lead.duplicate',
  'lead.expired',
  'lead.outcome',
  'lead.returned',
] as const;
export type LeadEventType = (typeof LEAD_EVENTS)[number];

/** Everything that an automation can be set off by (contract 8.1). */
export const EVENT_TYPES = [
  ...LEAD_EVENTS,
  'ping.expired',
  'buyer.paused',
  'buyer.resumed',
  'automation.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const isLeadEvent = (type: EventType): type is LeadEventType =>
  LEAD_EVENTS.some((one) => one === type);
/** The organisations that want to be told of each kind of event; a kind that nobody wants is not there. */
export type Wants = ReadonlyMap<EventType, readonly string[]>;

export const NOBODY_WANTS: Wants = new Map();

/** What changes of a lead as time goes by, as it was when the event happened. */
export interface LeadFacts {
  /** As it is shown. */
  status: Exclude<LeadStatus, 'NEW' | 'PENDING' | 'SELLING'> | 'NEW' | 'RETURNED' | SaleOutcome;
  outcome: SaleOutcome | null;
  /** Whom the event is about: who bought, or gave it back. */
  buyer_id: string | null;
  /** What this buyer agreed to pay. */
  price: Micros;
  /** Sums over the sales of the lead. */
  revenue: Micros;
  cost: Micros;
}

/** An event that was written with the change it reports, and is not among the events yet. */
export interface UntoldEvent {
  /** Counts the events of its lead, from 1. */
  n: number;
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
}

/** The event that says how a lead has ended; none of what its supplier was told 503 for. */
export const ENDING_EVENTS = {
  ACCEPTED: 'lead.accepted',
  REJECTED: 'lead.rejected',
  UNMATCHED: 'lead.unmatched',
  DUPLICATE: 'lead.duplicate',
  EXPIRED: 'lead.expired',
} as const satisfies Partial<Record<LeadStatus, LeadEventType>>;

/** The same of a lead, and of its n-th event, always: however often it is told, it is one event. */
export const leadEventId = (leadId: string, n: number): string => `evt_${leadId}_${String(n)}`;

/** What is sent, in the order a reader looks for it. */
export interface Envelope {
  id: string;
  type: EventType;
  /** ISO 8601. */
  created_at: string;
  data: Record<string, unknown>;
}

export const envelopeOf = (
  event: { _id: string; type: EventType; created_at: Date },
  data: Record<string, unknown>,
): Envelope => ({
  id: event._id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  data,
});

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
