/** Pings buyers for their bids: concurrently, each with its timeout, all by the deadline. */
import { signingSecretPlace } from '../account/rules/sealedPlaces.js';
import { openHeaders } from '../account/buyers/sealedHeaders.js';
import { signedHeaders, signingSecrets } from '../platform/security/signatures.js';
import type { Keyring } from '../platform/security/seal.js';
import type { HealthSample } from '../deliveries/destinations/recordHealth.js';
import type { Clock } from '../lib/clock.js';
import { readStatus, withoutAnswer } from '../deliveries/rules/delivery.js';
import type { TransportReply } from '../platform/outbound/reply.js';
import type { LiveBid } from './rules/auction.js';
import { buildPing, type AskedPing } from './rules/pingRequest.js';
import { readBid, type BidReading } from './rules/readBid.js';
import type { BuyerPing } from '../account/rules/pingSettings.js';
import type { BuyerTerms, Plan } from '../account/rules/plan.js';
import type { OutboundHttp } from '../platform/outbound/http.js';
import type { PingHealth } from './pingHealth.js';

export interface Asking extends Omit<AskedPing, 'campaign_id'> {
  plan: Pick<Plan, 'org_id' | 'campaign_id' | 'fields'>;
  /** Buyers without a ping are skipped, and are not in the result. */
  bidders: readonly BuyerTerms[];
  /** From now, in milliseconds. */
  deadline_ms: number;
}

export interface AskDeps {
  /** Keeps connections alive. */
  outbound: Pick<OutboundHttp, 'send'>;
  keyring: Pick<Keyring, 'open'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  health: PingHealth;
}

/** Milliseconds that a request may exceed its timeout before the auction goes on without it. */
const GRACE_MS = 5;
/** Milliseconds a timer may fire early, as timers use whole milliseconds. */
const TIMER_MS = 2;

interface AskedBuyer {
  terms: BuyerTerms;
  settings: BuyerPing;
}

/**
 * The result of each buyer that has a ping, by its id: none is missing. Never rejects, and ends within a few
 * milliseconds of the deadline however slow the buyers are. A later answer is dropped with its connection.
 */
export async function askBuyers(asking: Asking, deps: AskDeps): Promise<Map<string, LiveBid>> {
  const bidders = asking.bidders.flatMap((terms) =>
    terms.ping ? [{ terms, settings: terms.ping }] : [],
  );
  const from = deps.clock.monotonic();
  const bids = new Map<string, LiveBid>();
  const collect = async (one: AskedBuyer): Promise<void> => {
    const bid = await askOne(one, asking, deps, from);
    bids.set(one.terms.buyer_id, bid);
  };
  await byDeadline(Promise.all(bidders.map(collect)), asking.deadline_ms);
  const latency_ms = elapsed(deps, from);
  const late = (): LiveBid => ({ kind: 'none', reason: 'late', detail: {}, latency_ms });
  // A copy: an answer that arrives after this changes no result.
  return new Map(
    bidders.map(({ terms: { buyer_id } }) => [buyer_id, bids.get(buyer_id) ?? late()]),
  );
}

async function byDeadline(work: Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadlineMs) + GRACE_MS);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

const elapsed = ({ clock }: AskDeps, from: number): number =>
  Math.max(0, Math.round(clock.monotonic() - from));

async function askOne(
  { terms, settings }: AskedBuyer,
  asking: Asking,
  deps: AskDeps,
  from: number,
): Promise<LiveBid> {
  const timeoutMs = Math.min(settings.timeout_ms, asking.deadline_ms);
  let reply: TransportReply;
  try {
    reply = await send({ terms, settings }, asking, timeoutMs, deps);
  } catch {
    // The request could not even be built, for example because a secret was sealed under a key that is gone.
    const detail = { error: 'the request could not be made here' };
    return { kind: 'none', reason: 'unreachable', detail, latency_ms: elapsed(deps, from) };
  }
  const latency_ms = elapsed(deps, from);
  const bid = readBid(reply, latency_ms >= timeoutMs - TIMER_MS, settings.response);
  deps.health.record({
    buyer_id: terms.buyer_id,
    org_id: asking.plan.org_id,
    verdict: judgeHealth(reply, bid, deps.clock.now()),
  });
  return { ...bid, latency_ms };
}

function send(
  { terms, settings }: AskedBuyer,
  { plan, ping_id, is_test, fields }: Asking,
  timeoutMs: number,
  { outbound, keyring, clock }: AskDeps,
): Promise<TransportReply> {
  const ping = { ping_id, campaign_id: plan.campaign_id, is_test, fields };
  const own = openHeaders(settings.headers, terms.buyer_id, keyring);
  const { url, headers, body } = buildPing(ping, plan.fields, { ...settings, headers: own });
  const at = clock.now();
  const { buyer_id, signing_secret: secret, previous_signing: previous } = terms;
  const place = signingSecretPlace(buyer_id);
  const secrets = signingSecrets(secret, previous, { keyring, now: at, place });
  const signed = {
    ...headers,
    ...signedHeaders(secrets, { id: `${ping_id}:${buyer_id}`, body, at }),
  };
  return outbound.send({ url, orgId: plan.org_id, headers: signed, body, timeoutMs });
}

/** Judges health as for a delivery; a bid or a refusal by the buyer's rules counts as an answer at any status. */
function judgeHealth(reply: TransportReply, bid: BidReading, now: Date): HealthSample['verdict'] {
  if (reply.kind !== 'answered') return withoutAnswer(reply);
  if (bid.kind === 'bid') return { result: 'accepted' };
  return bid.reason === 'declined' ? { result: 'rejected' } : readStatus(reply, now);
}
