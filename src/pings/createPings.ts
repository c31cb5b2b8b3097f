/** A ping's way from the request to the answer, in MongoDB alone. No workflow, and no lead. */
import { hashKey, isWellFormedKey } from '../platform/security/keys.js';
import type { PingTokens } from '../platform/security/pingTokens.js';
import type { Keyring } from '../platform/security/seal.js';
import type { Clock } from '../lib/clock.js';
import type { LiveBid, PingAccepted, PingOpen, PingRefused } from './rules/auction.js';
import { concludePing } from './rules/concludePing.js';
import { AppError } from '../lib/errors.js';
import { timeOrderedId } from '../lib/ids.js';
import { unauthorized } from '../account/access/requirePartner.js';
import { PING_ALLOWANCE, takeToken } from '../account/access/takeToken.js';
import { admitAsOfNow } from '../account/access/revalidate.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { Metrics } from '../platform/metrics.js';
import type { RateLimiter } from '../platform/rateLimits/limiter.js';
import { orUnavailable } from '../platform/mongo/databaseErrors.js';
import type { PingDoc } from './store/pingDocs.js';
import type { PingStore } from './store/pings.js';
import { createGroupCommit } from '../lib/groupCommit.js';
import { buildAnswer } from './answer.js';
import { createPingAdmission } from './admission.js';
import { askBuyers, type AskDeps } from './askBuyers.js';
import {
  ADMITTED_BY_MS,
  ANSWERED_AFTER_MS,
  SCREENED_AFTER_MS,
  STORED_AFTER_MS,
} from './deadlines.js';
import { createPingHealth, type PingHealthDeps } from './pingHealth.js';
import { buildPingRecord, createStoring, type OnStored, type Storing } from './recordPings.js';
import {
  createScreening,
  deadlineOf,
  type PingItem,
  type ScreenedPing,
  type ScreeningDeps,
} from './screening.js';
import type { PingContext } from './loadContext.js';
import type { PingAnswer, PingCall, PingReply, Pings } from './types.js';

/** Few, so that under load each group is large; two, so that one slow query does not delay every ping. */
const IN_FLIGHT_MAX = 2;
/** The process decides this many in a few milliseconds. */
const GROUP_MAX = 200;
/** As many as can wait within a deadline at 1,500 a second. */
const QUEUE_MAX = 2_000;

/** A group costs the same queries for one ping as for many; at 500 pings a second, 15 share them. */
const GROUP_INTERVAL_MS = 30;

const SIZES = {
  maxInFlight: IN_FLIGHT_MAX,
  groupMax: GROUP_MAX,
  queueMax: QUEUE_MAX,
  intervalMs: GROUP_INTERVAL_MS,
  noun: 'ping',
};

export interface PingsDeps
  extends
    Omit<ScreeningDeps, 'admit'>,
    Omit<PingHealthDeps, 'clock' | 'destinations'>,
    Omit<AskDeps, 'health' | 'keyring'> {
  destinations: ScreeningDeps['destinations'] & PingHealthDeps['destinations'];
  limiter: RateLimiter;
  tokens: Pick<PingTokens, 'sign'>;
  keyring: Pick<Keyring, 'claimHash' | 'open'>;
  /** How long a ping can be redeemed, in milliseconds. */
  validMs: number;
  metrics: Pick<Metrics, 'pings' | 'liveBids'>;
  clock: Clock;
  pings: Pick<PingStore, 'insert'>;
  onStored: OnStored;
}

const TOO_SLOW = 'The service cannot accept pings now. Send the ping again.';

export function createPings(deps: PingsDeps): Pings {
  const parts = withParts(deps);
  return {
    submit: (call) => submit(call, parts).catch(orUnavailable(TOO_SLOW)),
    async idle() {
      await parts.screening.idle();
      await parts.storing.idle();
    },
  };
}

type Parts = ReturnType<typeof withParts>;

function withParts(deps: PingsDeps) {
  const admit = createPingAdmission(deps.accountCache);
  return {
    ...deps,
    admit,
    health: createPingHealth(deps),
    screening: createGroupCommit<PingItem, ScreenedPing>({
      ...SIZES,
      refuseAt: (item) => item.receivedAt + deadlineOf(item) + SCREENED_AFTER_MS,
      commit: createScreening({ ...deps, admit }),
    }),
    storing: createGroupCommit<Storing, string>({
      ...SIZES,
      refuseAt: ({ refuseAt }) => refuseAt,
      commit: createStoring(deps.pings, deps.onStored),
    }),
  };
}

async function submit(call: PingCall, deps: Parts): Promise<PingReply> {
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

async function decide(item: PingItem, deps: Parts): Promise<PingAnswer> {
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
  parts: Parts,
): Promise<PingAccepted | PingRefused> {
  const deadline_ms = item.receivedAt + deadlineOf(item) - parts.clock.monotonic();
  const isAsked = opened.bidders.some((terms) => terms.ping !== undefined) && deadline_ms > 0;
  const { ping_id } = item;
  const { plan, fields, is_test } = ping;
  const { bidders } = opened;
  const live = isAsked
    ? await askBuyers({ ping_id, plan, fields, is_test, bidders, deadline_ms }, parts)
    : new Map<string, LiveBid>();
  for (const bid of live.values()) parts.metrics.liveBids.inc({ result: resultOf(bid) });
  return concludePing({ ...ping, opened, live });
}

const sign = (
  { _id: ping_id, org_id, campaign_id, supplier_id, expires_at }: PingDoc,
  { tokens }: Parts,
): string => tokens.sign({ ping_id, org_id, campaign_id, supplier_id, expires_at });

/** One label for all statuses: a buyer can invent any. */
const resultOf = (bid: LiveBid): string => {
  if (bid.kind === 'bid') return 'bid';
  return bid.reason.startsWith('http_') ? 'http_error' : bid.reason;
};
