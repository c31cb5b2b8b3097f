/** The bids for a ping, when every pinged buyer has answered or is late. */
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { Micros } from '../../fields/money.js';
import { NO_TURNS } from '../../routing/rules/turns.js';
import {
  orderBids,
  type ConcludeInput,
  type LiveBid,
  type PingAccepted,
  type PingRefused,
  getSupplierTerms,
} from './auction.js';
import { noBidReason } from './noBidReason.js';
import { capCheck } from './pingCaps.js';
import type { Bid, Unbid } from './ping.js';
import { bidOf } from '../../account/rules/bid.js';
import { DEFAULT_PING_SETTINGS } from '../../account/rules/pingSettings.js';

type Source = Pick<Bid, 'source' | 'reference' | 'latency_ms'> & { price: Micros };

/**
 * The bids, best first, and why each other buyer made none.
 * @throws {Error} when the plan has no such supplier
 */
export function concludePing(input: ConcludeInput): PingAccepted | PingRefused {
  const { plan, opened, live, turns = NO_TURNS } = input;
  const settings = plan.ping ?? DEFAULT_PING_SETTINGS;
  const supplier = getSupplierTerms(input);
  const caps = capCheck(input);
  const bids: Bid[] = [];
  const unbid = [...opened.unbid];
  for (const terms of opened.bidders) {
    const { buyer_id } = terms;
    const answer = readSource(terms, live.get(buyer_id));
    if ('reason' in answer) {
      unbid.push(answer);
      continue;
    }
    const { price, ...source } = answer;
    const priced = bidOf({ price, terms, supplier, settings });
    const why = 'reason' in priced ? priced : caps.forBid(terms, { price, bid: priced.bid });
    if ('net' in priced && !why) bids.push({ buyer_id, price, ...priced, ...source });
    else if (why) unbid.push({ buyer_id, ...why, latency_ms: source.latency_ms });
  }
  if (bids.length === 0) return noBidReason(unbid);
  return { kind: 'accepted', bids: orderBids(bids, plan.buyers, turns), unbid };
}

function readSource(
  { buyer_id, price, ping }: BuyerTerms,
  answer: LiveBid | undefined,
): Source | Unbid {
  if (!ping) return { price, source: 'static' };
  if (!answer) return { buyer_id, reason: 'late', detail: {} };
  const { latency_ms } = answer;
  if (answer.kind === 'none')
    return { buyer_id, reason: answer.reason, detail: answer.detail, latency_ms };
  return { price: answer.price, source: 'live', latency_ms, reference: answer.reference };
}
