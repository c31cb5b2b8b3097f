/**
 * The auction of a ping, without any I/O: which buyers may bid (`screenPing`), then, when the buyers that have a ping
 * were pinged, the bids (`concludePing`), and their order (`orderBids`). Equal input gives equal answers.
 */
import { getOwn } from '../../lib/getOwn.js';
import type { CapState } from '../../routing/rules/caps.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { Fields } from '../../fields/values.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../account/rules/plan.js';
import type { Micros } from '../../fields/money.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';
import type { Turns } from '../../routing/rules/turns.js';
import type { Bid, PingRefusal, Unbid } from './ping.js';

/** A ping and its context. What is absent does not count against it. */
export interface PingInput {
  plan: Plan;
  /** A supplier that has a link in the plan. */
  supplier_id: string;
  /** In the form of the ping's mapping; fields that were not sent are left to the post. */
  fields: Fields;
  is_test: boolean;
  now: Date;
  /** Matches of the phone and the email that were sent in the suppression lists. */
  hits?: readonly SuppressionHit[];
  /** The earlier lead whose claim is live (`claimIsLive`), and the buyer that has it; null: no duplicate. */
  original?: { lead_id: string; buyer_id: string | null } | null;
  /** Until when the breaker of a buyer is open, by buyer. */
  openUntil?: Readonly<Record<string, Date>>;
  /** Counts of the links that have caps. A window that is over counts as empty. */
  counters?: PingCounters;
}

export interface PingCounters {
  buyers?: Readonly<Record<string, CapState>>;
  supplier?: CapState;
  campaign?: CapState;
}

export interface PingRefused {
  kind: 'refused';
  reason: PingRefusal;
  /** For `filtered` and `suppressed`, without the values of the ping. */
  filter_errors?: FilterFailure[];
  unbid: Unbid[];
}

/** At least one buyer may bid. */
export interface PingOpen {
  kind: 'open';
  /**
   * Those with `ping` must be pinged; the prices of the others are their bids. Those with a
   * `daily_ping_cap` must be counted first (`withPingCaps`).
   */
  bidders: BuyerTerms[];
  /** All other buyers of the plan. */
  unbid: Unbid[];
}

/** The result of a buyer that was pinged. */
export type LiveBid =
  | { kind: 'bid'; price: Micros; reference?: string; latency_ms: number }
  | { kind: 'none'; reason: NoBid; detail: Record<string, unknown>; latency_ms: number };

/**
 * Why an answer is no bid. late: none within its time. unreachable: no connection, or it broke. http_…: an
 * unsuccessful status. malformed: not a JSON object, or a price that is not a number. absurd_bid: more than 1,000,000.
 */
export type NoBid =
  | 'late'
  | 'unreachable'
  | `http_${number}`
  | 'malformed'
  | 'no_bid_price'
  | 'negative_bid'
  | 'absurd_bid'
  | 'declined';

export interface PingAccepted {
  kind: 'accepted';
  /** Best first; at least one. */
  bids: Bid[];
  unbid: Unbid[];
}

export interface ConcludeInput extends Pick<
  PingInput,
  'plan' | 'supplier_id' | 'is_test' | 'now' | 'counters'
> {
  opened: PingOpen;
  /** The results of the buyers that were pinged; a missing one counts as `late`. */
  live: ReadonlyMap<string, LiveBid>;
  turns?: Turns;
}

/** What orders equally high bids, in addition to their ids. */
export type BidRank = Pick<BuyerTerms, 'buyer_id' | 'priority'>;

/**
 * Best first: the highest net, then the lowest priority (none is last), then the buyer whose latest turn is
 * longest ago, then by id.
 * @param buyers those of the plan; a bidder that is not among them has no priority
 */
export function orderBids(bids: readonly Bid[], buyers: readonly BidRank[], turns: Turns): Bid[] {
  const priorities = new Map(buyers.map(({ buyer_id, priority }) => [buyer_id, priority]));
  const priority = ({ buyer_id }: Bid): number => priorities.get(buyer_id) ?? Infinity;
  const latest = ({ buyer_id }: Bid): number => getOwn(turns.last, buyer_id) ?? 0;
  return bids.toSorted(
    (a, b) =>
      b.net - a.net ||
      ascending(priority(a), priority(b)) ||
      latest(a) - latest(b) ||
      ascending(a.buyer_id, b.buyer_id),
  );
}

const ascending = <T extends number | string>(a: T, b: T): number => (a === b ? 0 : a < b ? -1 : 1);

/** @throws {Error} when the plan has no such supplier */
export function getSupplierTerms(ping: Pick<PingInput, 'plan' | 'supplier_id'>): SupplierTerms {
  const supplier = getOwn(ping.plan.suppliers, ping.supplier_id);
  if (!supplier) throw new Error(`Plan ${ping.plan._id} has no supplier ${ping.supplier_id}`);
  return supplier;
}
