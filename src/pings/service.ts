/** A ping's path from the request to the answer, in MongoDB alone. No workflow, and no lead. */
import { hashKey, isWellFormedKey } from '../platform/security/keys.js';
import type { PingTokens } from '../platform/security/pingTokens.js';
import type { Keyring } from '../platform/security/seal.js';
import type { Clock } from '../lib/clock.js';
import type { LiveBid, PingAccepted, PingOpen, PingRefused } from './rules/auction.js';
import { concludePing } from './rules/concludePing.js';
import { AppError } from '../lib/errors.js';
import { timeOrderedId } from '../lib/ids.js';
import { unauthorized } from '../account/access/requirePartner.js';
import type { AccountCache } from '../account/access/accountCache.js';
import { PING_ALLOWANCE, takeToken } from '../account/access/takeToken.js';
import { admitAsOfNow } from '../account/access/revalidate.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { Metrics } from '../platform/metrics.js';
import type { RateLimiter } from '../platform/rateLimits/limiter.js';
import { orUnavailable } from '../platform/mongo/databaseErrors.js';
import type { PingDoc } from './store/pingDocs.js';
import type { GroupCommit } from '../lib/groupCommit.js';
import { buildAnswer } from './answer.js';
import type { AdmitPing } from './admission.js';
import type { Asking } from './askBuyers.js';
import { ADMITTED_BY_MS, ANSWERED_AFTER_MS, STORED_AFTER_MS } from './deadlines.js';
import { buildPingRecord, type Storing } from './recordPings.js';
import { deadlineOf, type PingItem, type ScreenedPing } from './screening.js';
import type { PingContext } from './loadContext.js';
import type { PingAnswer, PingCall, PingReply, Pings } from './types.js';

/** Pings buyers for their bids; never rejects, and resolves by its deadline. */
export type AskAll = (asking: Asking) => Promise<ReadonlyMap<string, LiveBid>>;

export interface PingServiceDeps {
  accountCache: AccountCache;
  admit: AdmitPing;
  limiter: RateLimiter;
  screening: GroupCommit<PingItem, ScreenedPing>;
  storing: GroupCommit<Storing, string>;
  ask: AskAll;
  tokens: Pick<PingTokens, 'sign'>;
  keyring: Pick<Keyring, 'claimHash'>;
  /** How long a ping can be redeemed, in milliseconds. */
  validMs: number;
  metrics: Pick<Metrics, 'pings'>;
  clock: Clock;
}

const TOO_SLOW = 'The service cannot accept pings now. Send the ping again.';

export function createPingService(deps: PingServiceDeps): Pings {
  return {
    submit: (call) => submit(call, deps).catch(orUnavailable(TOO_SLOW)),
    async idle() {
      await deps.screening.idle();
      await deps.storing.idle();
    },
  };
}

async function submit(call: PingCall, deps: PingServiceDeps): Promise<PingReply> {
  if (call.key === undefined || !isWellFormedKey(call.key)) throw unauthorized();
  const keyHash = hashKey(call.key);
  const spent = () => deps.clock.monotonic() - call.receivedAt;
  const { access, isCurrent, headers } = await withTimeout(ADMITTED_BY_MS - spent(), TOO_SLOW, () =>
    takeToken(keyHash, PING_ALLOWANCE, deps),
  );
  try {
    const admitted = await withTimeout(ADMITTED_BY_MS - spent(), TOO_SLOW, () =>
      admitAsOfNow(keyHash, access, call.body, deps),
    );
    const { body, receivedAt } = call;
    const caller = { access, isCurrent, keyHash };
    const item = { ping_id: timeOrderedId(), ...caller, admitted, body, receivedAt };
    const left = deadlineOf(item) + ANSWERED_AFTER_MS - spent();
    const data = await withTimeout(left, TOO_SLOW, () => decide(item, deps));
    return { data, headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

async function decide(item: PingItem, deps: PingServiceDeps): Promise<PingAnswer> {
  const { ping, outcome } = await deps.screening.submit(item);
  const decided = outcome.kind === 'open' ? await auction(item, ping, outcome, deps) : outcome;
  const doc = buildPingRecord(item, decided, deps.clock.now(), deps);
  const refuseAt = item.receivedAt + deadlineOf(item) + STORED_AFTER_MS;
  const token = doc.state === 'open' ? sign(doc, deps) : '';
  await deps.storing.submit({ doc, refuseAt });
  deps.metrics.pings.inc({ result: doc.reason ?? 'accepted' });
  return buildAnswer(doc, token, deps.keyring);
}

/** Buyers with a ping are pinged concurrently; only this ping waits for them. */
async function auction(
  item: PingItem,
  ping: PingContext,
  opened: PingOpen,
  { ask, clock }: PingServiceDeps,
): Promise<PingAccepted | PingRefused> {
  const deadline_ms = item.receivedAt + deadlineOf(item) - clock.monotonic();
  const isAsked = opened.bidders.some((terms) => terms.ping !== undefined) && deadline_ms > 0;
  const { ping_id } = item;
  const { plan, fields, is_test } = ping;
  const live = isAsked
    ? await ask({ ping_id, plan, fields, is_test, bidders: opened.bidders, deadline_ms })
    : new Map<string, LiveBid>();
  return concludePing({ ...ping, opened, live });
}

const sign = (
  { _id: ping_id, org_id, campaign_id, supplier_id, expires_at }: PingDoc,
  { tokens }: PingServiceDeps,
): string => tokens.sign({ ping_id, org_id, campaign_id, supplier_id, expires_at });
