/** A buyer's answer to its ping, read: a bid, or why there is none (contract 5.4). */
import { answerValues } from '../../deliveries/rules/answerValues.js';
import type { HttpAnswer, TransportReply } from '../../platform/outbound/reply.js';
import { readableAnswer, ruleHolds, type ReadableAnswer } from '../../account/rules/response.js';
import type { LiveBid, NoBid } from './auction.js';
import { readBidPrice } from './bidPrice.js';
import type { BidRules } from '../../account/rules/pingSettings.js';

export type BidReading =
  Omit<LiveBid & { kind: 'bid' }, 'latency_ms'> | Omit<LiveBid & { kind: 'none' }, 'latency_ms'>;

/** Where the bid is in an answer when its buyer has set no rules. */
const PRICE_PATH = 'bid_price';
const REFERENCE_PATHS = ['reference', 'bid_id', 'ping_id'];
const NO_CONTENT = 204;

/**
 * @param timeIsOver the reply arrived after the buyer's timeout: a missing answer then counts as late
 * @param rules of the buyer; the names above replace missing ones
 */
export function readBid(
  reply: TransportReply,
  timeIsOver: boolean,
  rules: BidRules = {},
): BidReading {
  if (reply.kind !== 'answered') {
    return none(timeIsOver ? 'late' : 'unreachable', { error: reply.reason });
  }
  const answer = readableAnswer(reply);
  const refused = findRefusal(reply, answer, rules);
  if (refused) return refused;
  const path = rules.price_path ?? PRICE_PATH;
  const given = answer.at(path);
  const read = readBidPrice(given);
  if (read.kind === 'price') {
    const reference = findReference(answer, rules);
    return { kind: 'bid', price: read.price, reference };
  }
  if (read.reason === 'no_bid_price') {
    return answer.unreadable()
      ? none('malformed', { problem: reply.undecoded ?? 'the answer is no JSON' })
      : none('no_bid_price', { path });
  }
  // A text that is not a number may contain personal data.
  const seen =
    read.reason === 'malformed' ? { problem: `${path} is no number` } : { bid: String(given) };
  return none(read.reason, { path, ...seen });
}

const none = (reason: NoBid, detail: Record<string, unknown>): BidReading => ({
  kind: 'none',
  reason,
  detail,
});

/** By the buyer's rules, then by the status, then by the usual words of a refusal; null when the price decides. */
function findRefusal(
  { status, undecoded }: HttpAnswer,
  answer: ReadableAnswer,
  rules: BidRules,
): BidReading | null {
  const { accept_when: yes, reject_when: no } = rules;
  if (yes !== undefined && ruleHolds(yes, answer)) return null;
  const isSuccess = status >= 200 && status < 300;
  const declined = (by: string): BidReading => {
    const { reason } = answerValues({ reason_path: rules.reason_path }, answer);
    return none('declined', { by, said: reason });
  };
  if (no !== undefined && ruleHolds(no, answer)) return declined('reject_when');
  if (!isSuccess) return none(`http_${status}`, { http_status: status });
  if (undecoded !== undefined) return none('malformed', { problem: undecoded });
  if (yes !== undefined) return declined('accept_when');
  if (status === NO_CONTENT) return declined('status 204');
  const word = REFUSAL_WORDS.find(({ path, isNo }) => isNo(answer.at(path)));
  return word ? declined(word.path) : null;
}

const NO: ReadonlySet<string> = new Set([
  'false',
  'no',
  '0',
  'rejected',
  'reject',
  'no_bid',
  'no-bid',
  'nobid',
  'declined',
  'decline',
  'denied',
  'failed',
  'failure',
  'error',
]);

const saysNo = (value: unknown): boolean =>
  value === false || (typeof value === 'string' && NO.has(value.trim().toLowerCase()));

/** A `status` of 0 can mean success. */
const REFUSAL_WORDS: readonly { path: string; isNo: (value: unknown) => boolean }[] = [
  { path: 'accept', isNo: (value) => value === 0 || saysNo(value) },
  { path: 'accepted', isNo: (value) => value === 0 || saysNo(value) },
  { path: 'status', isNo: (value) => value !== '0' && saysNo(value) },
];

/** The first valid one: text of at most 200 characters. */
function findReference(
  answer: ReadableAnswer,
  { reference_path: own }: BidRules,
): string | undefined {
  for (const reference_path of own === undefined ? REFERENCE_PATHS : [own]) {
    const { reference } = answerValues({ reference_path }, answer);
    if (reference !== undefined) return reference;
  }
  return undefined;
}
