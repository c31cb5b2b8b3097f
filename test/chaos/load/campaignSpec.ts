/** How a campaign of a run is described. */
import type { UnknownPolicy } from '../../../src/account/rules/deliverySettings.js';
import type { DedupeSettings, DistributionMethod } from '../../../src/account/rules/plan.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Habits, Shares } from '../buyers/behaviors.js';
import type { Hours } from './hours.js';

/** Money in currency, as a person types it. */
export interface BuyerSpec {
  price: number;
  honours: boolean;
  on_unknown?: UnknownPolicy;
  caps?: CapLimits;
  timeout_ms?: number;
  /** Misbehaves in every way all the time, though mostly well. */
  flaky?: boolean;
  /** The share, 0 to 1, of leads that it refuses while it is well. */
  rejects?: number;
  /** What a `flaky` one does, instead of misbehaving in every way. */
  shares?: Shares;
  /** Lower goes first; its place in the campaign unless told otherwise. */
  priority?: number;
  /** Its share in a campaign that draws. */
  weight?: number;
  /** Its answers name a price between these, and that is booked. */
  says?: Habits['prices'];
  /** Always open without. */
  hours?: Hours;
  when_closed?: 'SKIP' | 'HOLD';
  /** While its queue is drained. */
  max_per_second?: number;
  /** How long a lead may wait for it; by default longer than any run. */
  max_age_ms?: number;
}

export interface SupplierSpec {
  /** Of a lead; what the service calls FIXED. */
  cost?: number;
  /** Percent of each sale's price; what the service calls REVENUE_SHARE. */
  share?: number;
  caps?: CapLimits;
}

export interface CampaignSpec {
  /** Of all leads, so many in a hundred. */
  weight: number;
  /** A waterfall unless told otherwise. */
  method?: DistributionMethod;
  /** 1 unless told otherwise. */
  max_sells?: number;
  dedupe_fields: string[];
  /** Refused unless told otherwise. */
  on_duplicate?: DedupeSettings['on_duplicate'];
  caps?: CapLimits;
  /** Suppliers post the same person several times, within so many milliseconds. */
  repeatedWithinMs?: number;
  /** Its buyers are made to park leads around the loss of Temporal's store. */
  parking?: boolean;
  /** Its buyers are busy around midnight, so that leads wait across it. */
  waitsForMidnight?: boolean;
  /** Its account keeps UTC: its opening hours are said in it. Others have the time zone of the run. */
  keepsUtc?: boolean;
  /** A receiver is told of its events. */
  announced?: boolean;
  /** In order of priority. */
  buyers: Record<string, BuyerSpec>;
  suppliers: SupplierSpec[];
}

export type CampaignSpecs = Record<string, CampaignSpec>;

/** A buyer takes at most so much of its time limit, in milliseconds. */
const TIMEOUT_MS = 1_500;

/** The name of a buyer among all campaigns' buyers; it is its path and its name in faults, too. */
export const buyerName = (campaign: string, buyer: string): string => `${campaign}-${buyer}`;

export const timeoutOf = ({ timeout_ms }: BuyerSpec): number => timeout_ms ?? TIMEOUT_MS;
