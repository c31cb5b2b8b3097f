/** A delivery as it is stored. */
import type { Micros } from '../../fields/money.js';
import type { RowWindows } from '../rules/rowWindows.js';

/**
 * sending: may be on its way. parked: waits to be sent (again). unknown: sent, never answered, held.
 * failed: surely not accepted; a run that acquires the lead takes it over, and its owner may park it.
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
   * How often its lead had been taken by a run when its reservations were taken, as it was opened or parked again after a
   * miss: the greater one is of the later run.
   */
  fence?: number;
  /** The request may be written to the socket until then; a mail, whose session is opened first, may be handed over. */
  send_by: Date;
  /** By then an answer has come or never will. */
  answer_by: Date;
  /** What a sale by this attempt brings, and what it costs. */
  price: Micros;
  cost: Micros;
  /** Of a lead that was sold already: counted in money, but not as a lead, with its supplier and campaign. */
  further?: true;
  /** How often it was sent. */
  tries: number;
  /** Where it was sent last, by the durable lane; absent: where the plan of its lead says. */
  sent_to?: string;
  /**
   * A request of it was never answered: while it is parked the buyer may have the lead. Whether one that has ended was
   * refused its state says.
   */
  unanswered?: true;
  /** Parked: not before. */
  due_at?: Date;
  /** An operator holds it: parked, and never due until it is to be retried. */
  held?: true;
  expires_at: Date;
  http_status?: number;
  latency_ms?: number;
  reason?: string;
  /** The buyer's own name for the lead. */
  reference?: string;
  /** The first 500 characters of the buyer's answer. */
  excerpt?: string;
  created_at: Date;
  settled_at?: Date;
  /** Accepted by the word of a run that had lost the row: whether its lead is booked is checked again. */
  unbooked?: true;
  /** Changed so late that the sums of its day may be kept: they are to be counted again. */
  uncounted?: true;
  /** The number of its latest late change. */
  changes?: number;
}
