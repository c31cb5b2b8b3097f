/**
 * The plan: one campaign compiled, with everything a lead is decided by. A plan is immutable; every change
 * of the account makes a new version, and a lead names the version that decided it.
 */
import type { DeliverySettings } from './deliverySettings.js';
import type { FilterGroup } from '../../fields/filters.js';
import type { BuyerPing, Margin, PingSettings } from './pingSettings.js';
import type { Schedule } from '../../fields/schedule.js';
import type { ZipArea } from '../../fields/zips.js';
import type { Micros } from '../../fields/money.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';
import type { CapLimits } from './capLimits.js';

export interface DedupeSettings {
  window_days: number;
  /** In the order in which they are claimed; empty switches duplicates off. */
  fields: string[];
  match: 'ANY' | 'ALL';
  on_duplicate: 'REJECT' | 'ROUTE_TO_ORIGINAL';
}

export interface BuyerTerms {
  buyer_id: string;
  name: string;
  /** Buyer and link together: paused when either is. */
  status: 'active' | 'paused';
  /** Of the link alone; absent of plans from before it was kept. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
  price: Micros;
  /** What a conversion brings where the buyer does not say; absent or null: the price. */
  conversion_price?: Micros | null;
  /** Lower goes first; null goes last. */
  priority: number | null;
  /** Its share of a WEIGHTED campaign, relative to those of the others that may get a lead; 0 is none. */
  weight: number;
  /** Two-letter codes; empty is every state. */
  states: string[];
  /** Null is everywhere. */
  zips: ZipArea | null;
  filters: FilterGroup | null;
  /** When it takes leads; null is always. */
  schedule: Schedule | null;
  /** What a lead does outside the schedule: go to the next buyer, or wait until this one opens. */
  when_closed: 'SKIP' | 'HOLD';
  caps: CapLimits;
  when_unavailable: 'NEXT' | 'WAIT';
  /** Complete: what the campaign overrides is in it. */
  delivery: DeliverySettings;
  /** Which of its settings are the link's own, in order; absent: all are the buyer's. */
  delivery_overrides?: string[];
  /** Signs what the buyer is sent. */
  signing_secret: SealedValue;
  /** The secret before it, which signs too until then; absent or null: there is none. */
  previous_signing?: { secret: SealedValue; until: Date } | null;
  /** What is kept of its price; absent or null: what the campaign says. */
  margin?: Margin | null;
  /** How it is asked for bids; absent: its price is its bid. */
  ping?: BuyerPing;
  /** How many pings of a day it is asked, or bids with its price; absent or null: any number. */
  daily_ping_cap?: number | null;
  /** Its bid for the lead that is being decided: `price` is the bid's. Never stored; see `leads/rules/locks.ts`. */
  locked?: LockedBid;
}

/** What was promised with a bid. */
export interface LockedBid {
  /** Its place among the bids, from 0. */
  rank: number;
  /** What the supplier was shown, and gets. */
  cost: Micros;
}

export interface SupplierTerms {
  supplier_id: string;
  /** As it was called then; absent of plans from before it was kept. */
  name?: string;
  /** Supplier and link together: paused when either is. */
  status: 'active' | 'paused';
  /** Of the link alone; absent of plans from before it was kept. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
  cost_mode: 'FIXED' | 'REVENUE_SHARE' | 'NONE';
  cost_per_lead: Micros;
  /** Percent of the buyer's price, 0 to 100. */
  revenue_share: number;
  caps: CapLimits;
  /** How many of its pings are taken in a day; absent or null: any number. */
  daily_ping_cap?: number | null;
}

/** What the link of a supplier itself says. */
export type SupplierLinkTerms = Omit<SupplierTerms, 'test_mode' | 'name' | 'link_status'>;

/** In which order the buyers that may get a lead are asked. */
export type DistributionMethod = 'WATERFALL' | 'ROUND_ROBIN' | 'WEIGHTED' | 'HIGHEST_BID';

/** What a lead's buyers are ordered by: it, or the bids of the ping that the lead redeemed. */
export type RankingMethod = DistributionMethod | 'LOCKED_BIDS';

export type SuppressionScope = 'organisation' | 'campaign' | 'buyer';

/** A suppression list that concerns a campaign. Its entries are looked up when a lead comes. */
export interface SuppressionRef {
  list_id: string;
  scope: SuppressionScope;
  /** Whose leads it concerns, of the scope `buyer`. */
  buyer_id?: string;
}

/** In whose name a version was made. Without a key or a person: on the machine itself, by a command or a set-up. */
export interface PlanAuthor {
  key?: { id: string; name: string };
  person?: { id: string; name: string };
  /** Somebody was cut off before it could be kept who it was. */
  unknown?: true;
  /** The action that made it. */
  action?: string;
  /** The version that this one was to equal again. */
  reverted_to?: number;
}

export interface Plan {
  /** `${campaign_id}:${version}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  version: number;
  name: string;
  status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  /** What its leads are about; absent: not said. No lead is decided by it. */
  vertical?: string;
  routing_method: 'DIRECT_POST' | 'PING_POST';
  distribution_method: DistributionMethod;
  /** IANA name; windows of caps and dates of filters go by it. */
  time_zone: string;
  /** How long a supplier waits for the buyer's word before it is told `pending`, 200 to 4,000. */
  answer_within_ms: number;
  /** How many buyers a lead may be sold to, 1 to 20. */
  max_sells: number;
  caps: CapLimits;
  fields: FieldRule[];
  filters: FilterGroup | null;
  dedupe: DedupeSettings;
  /** Days after its first sale by which a lead's outcome is said, 1 to 365; absent or null: any time. */
  conversion_window_days?: number | null;
  /** Whether suppliers see what buyers say of their leads; absent: they do not. */
  share_outcomes?: boolean;
  /** Absent: as `DEFAULT_PING_SETTINGS` has it. */
  ping?: PingSettings;
  /** Absent when no suppression list concerns the campaign: then nothing is looked up. */
  suppression?: SuppressionRef[];
  buyers: BuyerTerms[];
  suppliers: Record<string, SupplierTerms>;
  /** Of a lead that redeemed a ping: only bidders may get it. Never stored; see `leads/rules/locks.ts`. */
  locks?: { ping_id: string; pick?: string };
  /** Of a lead that is sold again: buyers that had its data. Never stored; see `resale.ts`. */
  had_it?: string[];
  /** Absent of versions from before it was kept. No lead is decided by it. */
  published?: PlanAuthor & { at: Date };
}

export const rankingOf = ({
  distribution_method,
  locks,
}: Pick<Plan, 'distribution_method' | 'locks'>): RankingMethod =>
  locks ? 'LOCKED_BIDS' : distribution_method;

export const planId = (campaignId: string, version: number): string => `${campaignId}:${version}`;
