/**
 * The plan: one campaign compiled, with everything that decides a lead. A plan is immutable; every change
 * of the account makes a new version, and a lead names the version that decided it.
 */
import type { FieldRule } from '../../fields/fieldRule.js';
import type { Micros } from '../../fields/money.js';
import type { SealedValue } from '../../platform/security/sealedValue.js';
import type { BuyerLinkTerms } from '../settings/buyerLinkTerms.js';
import type { CampaignSettings } from '../settings/campaignSettings.js';
import type { SupplierLinkTerms } from '../settings/supplierLinkTerms.js';
import type { DeliverySettings } from './deliverySettings.js';
import type { BuyerPing, PingSettings } from './pingSettings.js';

export type DedupeSettings = CampaignSettings['dedupe'];

export interface BuyerTerms extends BuyerLinkTerms {
  buyer_id: string;
  name: string;
  /** Buyer and link together: paused when either is. */
  status: 'active' | 'paused';
  /** Of the link alone; absent from plans made before this was recorded. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
  /** Complete: the campaign's overrides are merged in. */
  delivery: DeliverySettings;
  /** Names of the settings that the link overrides, in order; absent: none. */
  delivery_overrides?: string[];
  /** Signs requests to the buyer. */
  signing_secret: SealedValue;
  /** The previous secret, which also signs until then; absent or null: there is none. */
  previous_signing?: { secret: SealedValue; until: Date } | null;
  /** How it is asked for bids; absent: its price is its bid. */
  ping?: BuyerPing;
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

export interface SupplierTerms extends SupplierLinkTerms {
  supplier_id: string;
  /** Its name at that time; absent from plans made before this was recorded. */
  name?: string;
  /** Supplier and link together: paused when either is. */
  status: 'active' | 'paused';
  /** Of the link alone; absent from plans made before this was recorded. */
  link_status?: 'active' | 'paused';
  test_mode: boolean;
}

/** The order in which the lead is offered to candidate buyers. */
export type DistributionMethod = CampaignSettings['distribution_method'];

/**
 * How a lead's buyers are ordered: by that method, by the bids of the ping that the lead redeemed, or, without a
 * ping, by the prices that serve as bids.
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

export interface Plan extends Omit<CampaignSettings, 'campaign_type'> {
  /** `${campaign_id}:${version}` */
  _id: string;
  org_id: string;
  campaign_id: string;
  version: number;
  name: string;
  /** IANA name; windows of caps and dates of filters follow it. */
  time_zone: string;
  /** The system fields, then those of the campaign's mapping. */
  fields: FieldRule[];
  /** When duplicates were last made to be found by more (`findsMore`); absent: never, or before this was recorded. */
  dedupe_since?: Date;
  /** Absent: `DEFAULT_PING_SETTINGS`. */
  ping?: PingSettings;
  /** Absent when no suppression list applies to the campaign: then nothing is looked up. */
  suppression?: SuppressionRef[];
  buyers: BuyerTerms[];
  suppliers: Record<string, SupplierTerms>;
  /** For a lead that redeemed a ping: only bidders may get it. Never stored; see `leads/rules/locks.ts`. */
  locks?: { ping_id: string; pick?: string };
  /** For a lead without a ping: prices are bids. Never stored; see `leads/rules/staticBids.ts`. */
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
