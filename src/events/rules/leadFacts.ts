/** The facts about a lead that its event contains. */
import type { Micros } from '../../fields/money.js';
import type { LeadEventType } from './events.js';

/** Outcomes of a sold lead; `expired`: the conversion window ended without a report from the buyer. */
type Outcome = 'pending' | 'converted' | 'not_qualified' | 'expired';

/** The changing values of a lead, as they were when the event happened. */
export interface LeadFacts {
  /** As it is shown. */
  status:
    | ('NEW' | 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE' | 'REJECTED' | 'EXPIRED' | 'WITHDRAWN')
    | 'RETURNED'
    | Outcome;
  outcome: Outcome | null;
  /** The buyer that the event is about: it bought the lead, or returned it. */
  buyer_id: string | null;
  /** The price that this buyer agreed to pay. */
  price: Micros;
  /** Sums over the sales of the lead. */
  revenue: Micros;
  cost: Micros;
}

/** An event that was written with the change it reports, and is not published yet. */
export interface OutboxEvent {
  /** Number among the events of its lead, from 1. */
  n: number;
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
}
