import type { Micros } from '../../fields/money.js';
import type { LeadStatus } from './leadStatus.js';
import type { SaleOutcome } from './saleChange.js';

/** The kinds of events that a lead has (contract 8.1). */
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

/** The organizations that subscribe to each kind of event; a kind without subscribers is not there. */
export type EventSubscriptions = ReadonlyMap<string, readonly string[]>;

export const NO_SUBSCRIPTIONS: EventSubscriptions = new Map();

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
