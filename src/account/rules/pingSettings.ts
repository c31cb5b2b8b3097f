/** How a campaign answers pings, and how a buyer is asked for bids (contract 5.3). */
import type { StoredHeaders } from './deliverySettings.js';
import type { ResponseRules } from '../buyers/responseSchema.js';
import type { Micros } from '../../fields/money.js';

/** What the organization keeps of a buyer's price; the rest is the supplier's bid. */
export type Margin =
  /** 0 to 100, at most four decimals. */
  { percent: number } | { fixed: Micros };

export interface PingSettings {
  /** Where the supplier's terms do not set the cost of a lead. */
  margin: Margin;
  /** Lower bids are not made; null: any. It applies to the supplier's amount, after the margin. */
  min_bid: Micros | null;
  /** Higher bids are lowered to it; null: none. */
  max_bid: Micros | null;
  /** Decimals that bids are rounded down to, 0 to 4. */
  bid_decimals: number;
  /** False: suppliers see ids that stand in for buyers. */
  reveal_buyers: boolean;
  /** By then every buyer has bid or timed out, in milliseconds. */
  deadline_ms: number;
  /** Whether a ping for a lead that would be a duplicate is refused. */
  check_duplicates: boolean;
  /** How a lead that differs from its ping is treated. */
  on_difference: 'REFUSE' | 'WARN';
}

export const DEFAULT_PING_SETTINGS: PingSettings = {
  margin: { percent: 0 },
  min_bid: null,
  max_bid: null,
  bid_decimals: 2,
  reveal_buyers: true,
  deadline_ms: 750,
  check_duplicates: true,
  on_difference: 'REFUSE',
};

/** The ping of a buyer, in a plan only while it is enabled. */
export interface BuyerPing {
  url: string;
  /** Time for its bid, within the campaign's deadline, in milliseconds. */
  timeout_ms: number;
  /** Fields the buyer receives in addition to those that every ping must have. */
  fields: string[];
  /** Headers in addition to ours. */
  headers: StoredHeaders;
  /** Rules for reading its answer; absent: the default of each. */
  response?: BidRules;
}

/** A buyer's rules for reading its bids; each has a default. */
export type BidRules = ResponseRules;
