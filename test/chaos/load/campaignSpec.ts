/** The description of a run's campaign. */
import type { UnknownPolicy } from '../../../src/account/rules/deliverySettings.js';
import type { DedupeSettings, DistributionMethod } from '../../../src/account/rules/plan.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Habits, Shares } from '../buyers/behaviors.js';
import type { Hours } from './hours.js';

/** Money in currency units, as a person types it. */
export interface BuyerSpec {
  price: number;
  honours: boolean;
  on_unknown?: UnknownPolicy;
  caps?: CapLimits;
  timeout_ms?: number;
  /** Misbehaves in every way all the time, but mostly behaves. */
  flaky?: boolean;
  /** The share, 0 to 1, of leads that it refuses while it is healthy. */
  rejects?: number;
  /** The behaviors of a `flaky` buyer, in place of every way of misbehaving. */
  shares?: Shares;
  /** Lower goes first; default: its place in the campaign. */
  priority?: number;
  /** Its weight in a campaign that draws. */
  weight?: number;
  /** Its answers name a price in this range, and the service records it. */
  says?: Habits['prices'];
  /** Default: always open. */
  hours?: Hours;
  when_closed?: 'SKIP' | 'HOLD';
  /** While its queue is drained. */
  max_per_second?: number;
  /** How long a lead may wait for it; default: longer than any run. */
  max_age_ms?: number;
}

export interface SupplierSpec {
  /** Per lead; the service calls it FIXED. */
  cost?: number;
  /** Percent of each sale's price; the service calls it REVENUE_SHARE. */
  share?: number;
  caps?: CapLimits;
}

export interface CampaignSpec {
  /** Share of all leads, in percent. */
  weight: number;
  /** Default: a waterfall. */
  method?: DistributionMethod;
  /** Default 1. */
  max_sells?: number;
  dedupe_fields: string[];
  /** Default: duplicates are refused. */
  on_duplicate?: DedupeSettings['on_duplicate'];
  caps?: CapLimits;
  /** Suppliers post the same person several times within this many milliseconds. */
  repeatedWithinMs?: number;
  /** Its buyers park leads around the loss of Temporal's store. */
  parking?: boolean;
  /** Its buyers are set to test mode now and then, while leads wait for them. */
  changesMode?: boolean;
  /** Its buyers are busy around midnight, so that leads wait across it. */
  waitsForMidnight?: boolean;
  /** Its account keeps UTC, the zone of its opening hours. Others have the time zone of the run. */
  keepsUtc?: boolean;
  /** Automations send its events to the receiver. */
  announced?: boolean;
  /** In order of priority. */
  buyers: Record<string, BuyerSpec>;
  suppliers: SupplierSpec[];
}

export type CampaignSpecs = Record<string, CampaignSpec>;

/** The time limit for a buyer's answer, in milliseconds. */
const TIMEOUT_MS = 1_500;

/** The name of a buyer among the buyers of all campaigns; also its path and its name in faults. */
export const buyerName = (campaign: string, buyer: string): string => `${campaign}-${buyer}`;

export const timeoutOf = ({ timeout_ms }: BuyerSpec): number => timeout_ms ?? TIMEOUT_MS;
