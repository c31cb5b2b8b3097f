/** A ping as a post of its supplier. */
import { fromMicros } from '../../../fields/money.js';
import { buildAnswer } from '../../../pings/answer.js';
import type { ListedPing } from '../../../pings/store/pingPages.js';
import type { PingDoc } from '../../../pings/store/pingDocs.js';
import type { Keyring } from '../../../platform/security/seal.js';
import { rulesInWords, type PostAnswer } from './leadPost.js';
import type { PostNames, PostSettings, SupplierPostRow } from './postNames.js';

interface PingRows {
  names: PostNames;
  settings: PostSettings;
  keyring: Pick<Keyring, 'claimHash'>;
  now: Date;
}

export function pingPost(ping: ListedPing, rows: PingRows): SupplierPostRow {
  const { names, settings } = rows;
  const [best] = ping.state === 'refused' ? [] : ping.bids;
  return {
    id: ping._id,
    kind: 'ping',
    at: ping.created_at,
    campaign: names.campaign(ping.campaign_id),
    is_test: ping.is_test,
    answer: { http_status: 200, code: codeOf(ping) },
    reason: reasonOf(ping, rows),
    status: shownState(ping, rows.now),
    lead_id: ping.lead_id,
    payout: best ? fromMicros(best.bid) : null,
    buyer_name: best && isNamed(ping, settings) ? names.buyer(best.buyer_id) : null,
    price: best && settings.show_prices ? fromMicros(best.price) : null,
  };
}

/** If the campaign does not reveal its bidders, the portal does not either. */
const isNamed = (
  { reveal_buyers }: Pick<PingDoc, 'reveal_buyers'>,
  { show_buyer_names }: PostSettings,
): boolean => reveal_buyers && show_buyer_names;

const codeOf = ({ state, reason = 'no_buyer' }: ListedPing): string =>
  state === 'refused' ? reason : 'accepted';

/** An expired ping is no longer open, though its stored state may still be. */
const shownState = ({ state, expires_at }: ListedPing, now: Date): ListedPing['state'] =>
  state === 'open' && expires_at <= now ? 'expired' : state;

function reasonOf(ping: ListedPing, rows: PingRows): string | null {
  if (ping.state === 'refused')
    return ping.filter_errors?.length ? rulesInWords(ping.filter_errors) : messageOf(ping, rows);
  return shownState(ping, rows.now) === 'expired' ? 'No lead was posted with it in time.' : null;
}

/** The answer always has a sentence. */
const messageOf = (ping: ListedPing, rows: PingRows): string =>
  String(answerOfPing(ping, rows).body.message);

/** The token of an accepted ping is not stored: its id is shown instead. */
export function answerOfPing(ping: ListedPing, { keyring }: Pick<PingRows, 'keyring'>): PostAnswer {
  const answer = buildAnswer(ping, ping._id, keyring);
  return { http_status: 200, code: codeOf(ping), body: { ...answer } };
}

/** The bids shown to the supplier, best first. */
export const shownBids = (ping: PingDoc, { names, settings }: PingRows) =>
  ping.bids.map(({ bid, buyer_id }) => ({
    bid_price: fromMicros(bid),
    buyer_name: isNamed(ping, settings) ? names.buyer(buyer_id) : null,
  }));
