/** How a campaign answers pings, and how a buyer is asked for bids (contract 5.3). */
import type { StoredHeaders } from './deliverySettings.js';
import type { ResponseRule } from '../buyers/responseSchema.js';
import type { Micros } from '../../fields/money.js';

/** What is kept of a buyer's price before a supplier's bid is made of it. */
export type Margin =
  /** 0 to 100, at most four decimals. */
  { percent: number } | { fixed: Micros };

export interface PingSettings {
  /** Where the supplier's terms do not say what a lead costs. */
  margin: Margin;
  /** Bids below it are not made; null: any. What the supplier gets counts, after the margin. */
  min_bid: Micros | null;
  /** Higher bids are lowered to it; null: none. */
  max_bid: Micros | null;
  /** Bids are rounded down to so many decimals, 0 to 4. */
  bid_decimals: number;
  /** False: suppliers see ids that stand for buyers. */
  reveal_buyers: boolean;
  /** By then all buyers have been heard, in milliseconds. */
  deadline_ms: number;
  /** Whether a ping for a lead that would be a duplicate is refused. */
  check_duplicates: boolean;
  /** What becomes of a lead that says otherwise than its ping did. */
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

/** A buyer's own ping, as its plan has it when it is enabled. */
export interface BuyerPing {
  url: string;
  /** For its bid, within the campaign's deadline, in milliseconds. */
  timeout_ms: number;
  /** Fields it is told beside those that every ping must have. */
  fields: string[];
  /** Headers beside ours. */
  headers: StoredHeaders;
  /** How its answer is read; absent: as extensions has it. */
  response?: BidRules;
}

/** A buyer's own rules for reading its bids; every one has a default. */
export interface BidRules {
  accept_when?: ResponseRule;
  reject_when?: ResponseRule;
  price_path?: string;
  reference_path?: string;
  reason_path?: string;
}
