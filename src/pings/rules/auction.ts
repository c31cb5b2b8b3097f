/**
 * The auction of a ping, without any I/O: who may bid (`screenPing`), then, when the buyers that have a ping of their
 * own were asked, what is bid (`concludePing`), and which bid is best (`orderBids`). The same input gives the same answer.
 */
import { getOwn } from '../../lib/getOwn.js';
import type { CapState } from '../../routing/rules/caps.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { Fields } from '../../fields/values.js';
import type { BuyerTerms, Plan } from '../../account/rules/plan.js';
import type { Micros } from '../../fields/money.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';
import type { Turns } from '../../routing/rules/turns.js';
import type { Bid, PingRefusal, Unbid } from './ping.js';

/** What there is to know of a ping, and how things stand around it. What is absent has nothing against it. */
export interface PingInput {
  plan: Plan;
  /** It has a link in the plan. */
  supplier_id: string;
  /** As the ping's mapping has them; fields that did not come are left for the post. */
  fields: Fields;
  is_test: boolean;
  now: Date;
  /** What the suppression lists have of the phone and the email that came. */
  hits?: readonly SuppressionHit[];
  /** The earlier lead whose claim is live (`claimIsLive`), and who has it; null: no duplicate. */
  original?: { lead_id: string; buyer_id: string | null } | null;
  /** Until when the breaker of a buyer is open, by buyer. */
  openUntil?: Readonly<Record<string, Date>>;
  /** What is counted for the links that have caps. Windows that are over are taken as empty. */
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
  /** Of `filtered` and `suppressed`, without the values of the ping. */
  filter_errors?: FilterFailure[];
  unbid: Unbid[];
}

/** Somebody may bid. */
export interface PingOpen {
  kind: 'open';
  /**
   * Those with `ping` have to be asked; the prices of the others are their bids already. Those with a
   * `daily_ping_cap` have to be counted first (`withPingCaps`).
   */
  bidders: BuyerTerms[];
  /** Everybody else of the plan. */
  unbid: Unbid[];
}

/** What a buyer that was asked came to. */
export type LiveBid =
  | { kind: 'bid'; price: Micros; reference?: string; latency_ms: number }
  | { kind: 'none'; reason: NoBid; detail: Record<string, unknown>; latency_ms: number };

/**
 * Why an answer is no bid. late: none within its time. unreachable: no connection, or it broke. http_…: a status that
 * is no success. malformed: no JSON object, or a price that is no number. absurd_bid: more than 1,000,000.
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
  /** What came of those that were asked, by buyer; one that is missing counts as `late`. */
  live: ReadonlyMap<string, LiveBid>;
  turns?: Turns;
}

/** What decides between equally high bids, beside their ids. */
export type BidRank = Pick<BuyerTerms, 'buyer_id' | 'priority'>;

/**
 * Best first: the highest net, then the lowest priority (none is last), then the buyer whose latest turn is
 * longest ago, then by id.
 * @param buyers those of the plan; a bidder that is none of them has no priority
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
