/** A ping as it is stored, and the part that a lead takes over from it. */
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { Micros } from '../../fields/money.js';

/** Why no buyer bids (contract 5.2). */
export type PingRefusal =
  'filtered' | 'suppressed' | 'duplicate' | 'no_buyer' | 'paused' | 'capped';

/** What one buyer would pay, and what the supplier would receive for it. */
export interface Bid {
  buyer_id: string;
  /** What the buyer pays. */
  price: Micros;
  /** The price less the margin: bids are ordered by it. */
  net: Micros;
  /** What the supplier would receive: the amount shown to it, and the recorded cost. */
  bid: Micros;
  source: 'static' | 'live';
  /** The buyer's reference for the ping, which its post repeats. */
  reference?: string;
  /** Latency of a live bid, in milliseconds. */
  latency_ms?: number;
}

/** A buyer that does not bid, or whose bid does not count, with the values that were compared. */
export interface Unbid {
  buyer_id: string;
  reason: string;
  detail: Record<string, unknown>;
  latency_ms?: number;
}

/** open: it may be redeemed until it expires. refused: no buyer bid. */
export type PingState = 'open' | 'redeemed' | 'expired' | 'refused';

/** One ping. It has no personal data: only keyed hashes of its fields are kept. */
export interface Ping {
  _id: string;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  plan_version: number;
  is_test: boolean;
  state: PingState;
  /** Why it was refused. */
  reason?: PingRefusal;
  filter_errors?: FilterFailure[];
  /** Best first. */
  bids: Bid[];
  unbid: Unbid[];
  /** Keyed hash of each field that was pinged, by its name. */
  digests: Record<string, string>;
  reveal_buyers: boolean;
  created_at: Date;
  /** It can be redeemed before this, and not at it. */
  expires_at: Date;
  /** Deleted after this. */
  forget_at: Date;
  /** The lead that redeemed it. */
  lead_id?: string;
  redeemed_at?: Date;
  expired_at?: Date;
}
