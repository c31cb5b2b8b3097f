/** A lead as it is stored, and the words for what becomes of it. */
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
  /** As agreed at the sale; what it brings and costs now: `revenueOf` and `costOf`. */
  price: Micros;
  /** What the supplier gets for it. */
  cost: Micros;
  at: Date;
  /** What a conversion brings where the buyer does not say, as agreed; absent: the price. */
  conversion_price?: Micros;
  /** What the buyer made of it; absent: nothing was said. */
  outcome?: SaleOutcome;
  outcome_at?: Date;
  /** What the conversion paid, as it was said; it counts while the sale is converted. */
  conversion_revenue?: Micros;
  /** The buyer's own deal value: in no sum. */
  lead_value?: Micros;
  note?: string;
  returned?: { at: Date; return_id: string; cost_reversed: boolean };
  /** What it brings now; absent: its price. */
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
  /** Draws of the decision come from it; the lead's id. */
  seed: string;
  fields: Fields;
  /** Fields outside the mapping: delivered, never routed on. */
  extra: Fields;
  /** `phone:+1555…`, `email:…`: what a lead is looked up by. Of leads from before each field had one: phone, email, click_id. */
  keys: string[];
  /** The page that it was filled in on; absent: its supplier posted it. */
  origin?: FunnelOrigin;
  /** Hash of supplier and body, to know a re-sent request by. */
  body_hash: string;
  /** Present when the request carried an Idempotency-Key: the id of its row. */
  idempotency_id?: string;
  created_at: Date;
  /** A run may take the lead for the first time until then; later it is withdrawn. */
  take_by: Date;
  /** When its supplier was promised a decision for later. */
  pending_at?: Date;
  decided_at?: Date;
  /** The supplier's connection closed before its answer. */
  broken?: boolean;
  /** Who works on it now, and until when nobody else may. */
  run?: string | null;
  lease_until?: Date | null;
  /** How often a run took it; more than once means that an earlier run may have left traces. */
  takes: number;
  /** Of its first sale. */
  buyer_id: string | null;
  sales: Sale[];
  /** Sums over its sales, of what they bring and cost now. */
  price: Micros;
  cost: Micros;
  profit: Micros;
  /** The last outcome that was said of any of its sales. */
  outcome?: SaleOutcome;
  outcome_at?: Date;
  /** How many changes were made of its sales: the number of the last one. */
  outcome_seq?: number;
  /** Changes that it has and that are not yet marked so in their own documents: few, and soon none. */
  applied?: AppliedChange[];
  /** When the first of its sales that are converted now was; absent: none is. */
  converted_at?: Date;
  /** When the time for an outcome ends; absent: it has no end, or no sale waits for an outcome. */
  outcome_due?: Date;
  duplicate_of?: string;
  /** A repeat that may go to this buyer only: the one that has the lead it repeats. */
  route_to?: string;
  /** The ping that it redeemed: the prices and the order that were promised. */
  ping?: LeadPing;
  /** It was made from another lead, to be sold again. */
  resale?: LeadResale;
  /** The earlier lead whose answer this re-sent request was given. */
  replay_of?: string;
  filter_errors?: FilterFailure[];
  /** Why a supplier's own limit refused it. */
  refusal?: 'supplier_capped';
  trail: TrailEntry[];
  /** Entries left out in the middle of a trail that had grown too long; absent when it is whole. */
  trail_dropped?: number;
  /** How often what reports count of it has changed; absent before it was decided. */
  changes?: number;
  /** The latest of these changes is not in the reports yet. */
  uncounted?: true;
  /** How many events were written of it: numbers the next one. Absent: none. */
  event_seq?: number;
  /** Those that are not among the events yet; absent where there are none. */
  untold?: OutboxEvent[];
  /** What the reports hold of it, and since which batch. */
  counted?: { seq: number; contribution: Contribution | null };
}
