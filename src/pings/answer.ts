/** What a supplier receives for its ping (contract 5.2). */
import { buyerAlias } from '../platform/security/buyerAlias.js';
import type { Keyring } from '../platform/security/seal.js';
import type { PingRefusal } from './rules/ping.js';
import { fromMicros } from '../fields/money.js';
import type { PingDoc } from './store/pingDocs.js';
import type { PingAnswer } from './types.js';

const REFUSALS: Record<PingRefusal, string> = {
  filtered: 'The lead does not pass the filters of the campaign.',
  suppressed: 'The lead is on a suppression list.',
  duplicate: 'The campaign already has this lead.',
  no_buyer: 'No buyer bids for such a lead now.',
  paused: 'The campaign or this source does not accept leads now. Test pings are still answered.',
  capped: 'A cap is full for such a lead now.',
};

/** @param token signed for this ping; a refused one needs none */
export function buildAnswer(
  ping: Pick<
    PingDoc,
    'state' | 'reason' | 'campaign_id' | 'supplier_id' | 'bids' | 'reveal_buyers' | 'expires_at'
  >,
  token: string,
  keyring: Pick<Keyring, 'claimHash'>,
): PingAnswer {
  if (ping.state === 'refused') {
    const { reason = 'no_buyer' } = ping;
    return { accepted: false, reason, message: REFUSALS[reason] };
  }
  const { campaign_id, supplier_id, bids } = ping;
  const idOf = (buyer_id: string): string =>
    ping.reveal_buyers ? buyer_id : buyerAlias(keyring, { campaign_id, supplier_id, buyer_id });
  return {
    accepted: true,
    ping_id: token,
    message: `${bids.length === 1 ? '1 buyer bids' : `${bids.length} buyers bid`}. Post the lead with this ping_id as flo_ping_id before it expires.`,
    expires_at: ping.expires_at.toISOString(),
    buyers: bids.map(({ buyer_id, bid }) => ({
      buyer_id: idOf(buyer_id),
      bid_price: fromMicros(bid),
    })),
  };
}
