/**
 * The plan: one campaign compiled, with everything that decides a lead. A plan is immutable; every change
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
  /** Of the link alone; absent from plans made before this was recorded. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
  price: Micros;
  /** Revenue of a conversion for which the buyer reports no sum; absent or null: the price. */
  conversion_price?: Micros | null;
  /** Lower goes first; null goes last. */
  priority: number | null;
  /** Its share of a WEIGHTED campaign, relative to those of the other candidates; 0 is none. */
  weight: number;
  /** Two-letter codes; empty is every state. */
  states: string[];
  /** Null is everywhere. */
  zips: ZipArea | null;
  filters: FilterGroup | null;
  /** When it accepts leads; null is always. */
  schedule: Schedule | null;
  /** Outside the schedule a lead goes to the next buyer, or waits until this one opens. */
  when_closed: 'SKIP' | 'HOLD';
  caps: CapLimits;
  when_unavailable: 'NEXT' | 'WAIT';
  /** Complete: the campaign's overrides are merged in. */
  delivery: DeliverySettings;
  /** Which of its settings are the link's own, in order; absent: all are the buyer's. */
  delivery_overrides?: string[];
  /** Signs requests to the buyer. */
  signing_secret: SealedValue;
  /** The previous secret, which also signs until then; absent or null: there is none. */
  previous_signing?: { secret: SealedValue; until: Date } | null;
  /** What the organization keeps of its price; absent or null: the campaign's margin. */
  margin?: Margin | null;
  /** How it is asked for bids; absent: its price is its bid. */
  ping?: BuyerPing;
  /** Maximum pings per day in which it is asked, or bids with its price; absent or null: no limit. */
  daily_ping_cap?: number | null;
  /**
   * Its bid for the lead that is being decided: `price` is the bid's. Never stored; see `leads/rules/locks.ts` and
   * `leads/rules/staticBids.ts`.
   */
  locked?: LockedBid;
  /** Why its price is no bid for a lead that is sold by such bids. Never stored; see `leads/rules/staticBids.ts`. */
  unbid?: NoStaticBid;
}

/** The terms promised with a bid, or those of a price that serves as one. */
export interface LockedBid {
  /** Its place among the bids, from 0; among the prices that serve as bids, equal ones share theirs. */
  rank: number;
  /** The amount that the supplier was shown, and receives. */
  cost: Micros;
}

/** bids_live: its price is no bid, because it names one for each ping. The others, with the values that were compared. */
export interface NoStaticBid {
  reason: 'bids_live' | 'below_margin' | 'below_min_bid';
  detail: Record<string, unknown>;
}

export interface SupplierTerms {
  supplier_id: string;
  /** Its name at that time; absent from plans made before this was recorded. */
  name?: string;
  /** Supplier and link together: paused when either is. */
  status: 'active' | 'paused';
  /** Of the link alone; absent from plans made before this was recorded. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
  cost_mode: 'FIXED' | 'REVENUE_SHARE' | 'NONE';
  cost_per_lead: Micros;
  /** Percent of the buyer's price, 0 to 100. */
  revenue_share: number;
  caps: CapLimits;
  /** Maximum of its pings accepted per day; absent or null: no limit. */
  daily_ping_cap?: number | null;
}

/** The terms that belong to a supplier's link itself. */
export type SupplierLinkTerms = Omit<SupplierTerms, 'test_mode' | 'name' | 'link_status'>;

/** The order in which the candidate buyers are asked. */
export type DistributionMethod = 'WATERFALL' | 'ROUND_ROBIN' | 'WEIGHTED' | 'HIGHEST_BID';

/**
 * How a lead's buyers are ordered: by that method, by the bids of the ping that the lead redeemed, or, where nobody
 * pinged for it, by the prices that serve as bids.
 */
export type RankingMethod = DistributionMethod | 'LOCKED_BIDS' | 'STATIC_BIDS';

export type SuppressionScope = 'organisation' | 'campaign' | 'buyer';

/** A suppression list that applies to a campaign. Its entries are looked up when a lead arrives. */
export interface SuppressionRef {
  list_id: string;
  scope: SuppressionScope;
  /** The buyer whose leads it applies to, for the scope `buyer`. */
  buyer_id?: string;
}

/** Who made a version. Without a key or a person: a command or a setup on the machine itself. */
export interface PlanAuthor {
  key?: { id: string; name: string };
  person?: { id: string; name: string };
  /** The process stopped before it recorded the author. */
  unknown?: true;
  /** The action that made the version. */
  action?: string;
  /** The version that this one restored. */
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
  /** What its leads are about; absent: not set. It decides no lead. */
  vertical?: string;
  routing_method: 'DIRECT_POST' | 'PING_POST';
  distribution_method: DistributionMethod;
  /** IANA name; windows of caps and dates of filters follow it. */
  time_zone: string;
  /** Milliseconds a supplier waits for the buyer's answer before it receives `pending`, 200 to 4,000. */
  answer_within_ms: number;
  /** Maximum buyers that a lead is sold to, 1 to 20. */
  max_sells: number;
  caps: CapLimits;
  fields: FieldRule[];
  filters: FilterGroup | null;
  dedupe: DedupeSettings;
  /** When duplicates were last made to be found by more (`findsMore`); absent: never, or before this was recorded. */
  dedupe_since?: Date;
  /** Days after its first sale in which a lead's outcome may be reported, 1 to 365; absent or null: any time. */
  conversion_window_days?: number | null;
  /** Whether suppliers see the outcomes that buyers report; absent: they do not. */
  share_outcomes?: boolean;
  /** Absent: `DEFAULT_PING_SETTINGS`. */
  ping?: PingSettings;
  /** Absent when no suppression list applies to the campaign: then nothing is looked up. */
  suppression?: SuppressionRef[];
  buyers: BuyerTerms[];
  suppliers: Record<string, SupplierTerms>;
  /** For a lead that redeemed a ping: only bidders may get it. Never stored; see `leads/rules/locks.ts`. */
  locks?: { ping_id: string; pick?: string };
  /** For a lead that nobody pinged for: prices are bids. Never stored; see `leads/rules/staticBids.ts`. */
  static_bids?: true;
  /** For a lead that is sold again: buyers that had its data. Never stored; see `resale.ts`. */
  had_it?: string[];
  /** Absent from versions made before this was recorded. It decides no lead. */
  published?: PlanAuthor & { at: Date };
}

export const rankingOf = ({
  distribution_method,
  locks,
  static_bids,
}: Pick<Plan, 'distribution_method' | 'locks' | 'static_bids'>): RankingMethod => {
  if (locks) return 'LOCKED_BIDS';
  return static_bids ? 'STATIC_BIDS' : distribution_method;
};

export const planId = (campaignId: string, version: number): string => `${campaignId}:${version}`;
