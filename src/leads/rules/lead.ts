/** A lead as it is stored. */
import type { OutboxEvent } from '../../events/rules/leadFacts.js';
import type { LeadPing } from './leadPing.js';
import type { Micros } from '../../fields/money.js';
import type { FunnelOrigin } from './origin.js';
import type { LeadResale } from './leadResale.js';
import type { Contribution } from './contribution.js';
import type { AppliedChange, SaleOutcome } from './saleChange.js';
import type { Fields } from '../../fields/values.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { LeadStatus } from './leadStatus.js';
import type { TrailEntry } from './trail.js';

/** One of at most `max_sells`. */
export interface Sale {
  buyer_id: string;
  /** Ordinal of the delivery row that made it. */
  attempt: number;
  /** As agreed at the sale; for its present revenue and cost see `revenueOf` and `costOf`. */
  price: Micros;
  /** What the supplier receives for it. */
  cost: Micros;
  /** In addition: the cost that its lead owes once, where the sale that had it was returned. See `passOnCost`. */
  carries?: Micros;
  at: Date;
  /** Revenue of a conversion for which the buyer reports no sum, as agreed; absent: the price. */
  conversion_price?: Micros;
  /** When its conversion window ends; absent: never, or when that of its lead does (sales of earlier releases). */
  outcome_due?: Date;
  /** The outcome that the buyer reported; absent: none. */
  outcome?: SaleOutcome;
  outcome_at?: Date;
  /** Revenue of the conversion as reported; it counts while the sale is converted. */
  conversion_revenue?: Micros;
  /** The deal value that the buyer reports: in no sum. */
  lead_value?: Micros;
  note?: string;
  returned?: { at: Date; return_id: string; cost_reversed: boolean };
  /** Its present revenue; absent: its price. */
  revenue?: Micros;
}

export interface Lead {
  _id: string;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  plan_version: number;
  status: LeadStatus;
  is_test: boolean;
  /** Seeds the random draws of the decision; the lead's id. */
  seed: string;
  fields: Fields;
  /** Fields outside the mapping: delivered, never used for routing. */
  extra: Fields;
  /** Its lookup keys: `phone:+1555…`, `email:…`. Leads older than a key per field: phone, email, click_id. */
  keys: string[];
  /** The page on which it was filled in; absent: its supplier posted it. */
  origin?: FunnelOrigin;
  /** Hash of supplier and body, which identifies a re-sent request. */
  body_hash: string;
  /** Present when the request carried an Idempotency-Key: the id of its row. */
  idempotency_id?: string;
  created_at: Date;
  /** A lead without a run may be acquired until then; later it is withdrawn. */
  take_by: Date;
  /** When its supplier received `pending`: the promise of a later decision. */
  pending_at?: Date;
  decided_at?: Date;
  /** The supplier's connection closed before its answer. */
  broken?: boolean;
  /** The run that works on it now; until `lease_until` no other run may. */
  run?: string | null;
  lease_until?: Date | null;
  /** Number of its runs; more than one means that an earlier run may have left traces. */
  takes: number;
  /** The buyer of its first sale. */
  buyer_id: string | null;
  sales: Sale[];
  /** Present revenue and cost, summed over its sales. */
  price: Micros;
  cost: Micros;
  profit: Micros;
  /** The last outcome reported for any of its sales. */
  outcome?: SaleOutcome;
  outcome_at?: Date;
  /** Number of changes made to its sales: the number of the last one. */
  outcome_seq?: number;
  /** Changes that it contains and whose documents are not marked yet: few, and soon none. */
  applied?: AppliedChange[];
  /** When the first of its presently converted sales converted; absent: none is converted. */
  converted_at?: Date;
  /** When the first window of a sale that waits for an outcome ends; absent: none does, or it has no end. */
  outcome_due?: Date;
  duplicate_of?: string;
  /** A repeat that may go to this buyer only: the one that has the original. */
  route_to?: string;
  /** The ping that it redeemed: the prices and the order that were promised. */
  ping?: LeadPing;
  /** It was made from another lead, to be sold again. */
  resale?: LeadResale;
  /** The earlier lead whose answer this re-sent request received. */
  replay_of?: string;
  filter_errors?: FilterFailure[];
  /** The limit of its supplier that refused it. */
  refusal?: 'supplier_capped';
  trail: TrailEntry[];
  /** Entries left out in the middle of a trail that had grown too long; absent when it is whole. */
  trail_dropped?: number;
  /** How often its contribution to the reports has changed; absent before it was decided. */
  changes?: number;
  /** The reports do not include the latest of these changes yet. */
  uncounted?: true;
  /** Number of events written so far: numbers the next one. Absent: none. */
  event_seq?: number;
  /** Its outbox: events that are not published yet; absent where there are none. */
  untold?: OutboxEvent[];
  /** The contribution that the reports include, and since which batch. */
  counted?: { seq: number; contribution: Contribution | null };
}

/** A lead as it is first stored: acquired by no run, and bought by no buyer. */
export const newLead = (id: string, created_at: Date) => ({
  _id: id,
  seed: id,
  status: 'NEW' as const,
  created_at,
  takes: 0,
  run: null,
  lease_until: null,
  buyer_id: null,
  sales: [],
  price: 0,
  cost: 0,
  profit: 0,
});
