/** A delivery as it is stored. */
import type { Micros } from '../../fields/money.js';
import type { RowWindows } from '../rules/rowWindows.js';

/**
 * sending: may be in flight. parked: waits to be sent (again). unknown: sent, never answered, held.
 * failed: definitely not accepted; a run that acquires the lead takes it over, and its owner may park it.
 * Final: accepted, rejected, abandoned (unknown, and its policy went on to the next buyer), expired (its age limit
 * ended the waiting).
 */
export type DeliveryState =
  'sending' | 'parked' | 'accepted' | 'rejected' | 'unknown' | 'failed' | 'abandoned' | 'expired';

/** One attempt to sell one lead to one buyer. Inserting it is the only permission to send. */
export interface DeliveryDoc extends RowWindows {
  /** `${lead_id}:${n}` */
  _id: string;
  lead_id: string;
  n: number;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  buyer_id: string;
  state: DeliveryState;
  run: string;
  /**
   * The lead's fencing token when its reservations were made, at opening or at parking again after a miss: the greater
   * one belongs to the later run.
   */
  fence?: number;
  /** The request may be written to the socket until then; a mail, whose session is opened first, may be submitted. */
  send_by: Date;
  /** By then an answer has arrived or never will. */
  answer_by: Date;
  /** Price and cost of a sale by this attempt. */
  price: Micros;
  cost: Micros;
  /** For a lead that was sold already: its supplier and campaign count its money, but not the lead. */
  further?: true;
  /** How often it was sent. */
  tries: number;
  /** Where the durable lane sent it last; absent: to the address in the plan of its lead. */
  sent_to?: string;
  /**
   * A request of it was never answered: while it is parked the buyer may have the lead. Once it has ended, its state
   * shows whether it was refused.
   */
  unanswered?: true;
  /** Parked: not sent before this time. */
  due_at?: Date;
  /** An operator holds it: parked, and never due until the operator retries it. */
  held?: true;
  expires_at: Date;
  http_status?: number;
  latency_ms?: number;
  reason?: string;
  /** The buyer's reference for the lead. */
  reference?: string;
  /** The first 500 characters of the buyer's answer. */
  excerpt?: string;
  created_at: Date;
  settled_at?: Date;
  /** Accepted through a run that had lost the row: whether its lead's sale is recorded is checked again. */
  unbooked?: true;
  /** Changed so late that the sums of its day may be stored already: they must be counted again. */
  uncounted?: true;
  /** The number of its latest late change. */
  changes?: number;
}
