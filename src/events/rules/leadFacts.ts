/** What an event of a lead says of it. */
import type { Micros } from '../../fields/money.js';
import type { LeadEventType } from './events.js';

/** What buyers said of a sold lead; `expired`: the conversion window ended, and the buyer had said nothing. */
type Outcome = 'pending' | 'converted' | 'not_qualified' | 'expired';

/** What changes of a lead as time goes by, as it was when the event happened. */
export interface LeadFacts {
  /** As it is shown. */
  status:
    | ('NEW' | 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE' | 'REJECTED' | 'EXPIRED' | 'WITHDRAWN')
    | 'RETURNED'
    | Outcome;
  outcome: Outcome | null;
  /** Whom the event is about: who bought, or gave it back. */
  buyer_id: string | null;
  /** What this buyer agreed to pay. */
  price: Micros;
  /** Sums over the sales of the lead. */
  revenue: Micros;
  cost: Micros;
}

/** An event that was written with the change it reports, and is not among the events yet. */
export interface OutboxEvent {
  /** Counts the events of its lead, from 1. */
  n: number;
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
}
