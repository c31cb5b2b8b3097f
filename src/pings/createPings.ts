/** The ping service: its group commits for screening and storing, and the pings to buyers. */
import type { Keyring } from '../platform/security/seal.js';
import type { LiveBid } from './rules/auction.js';
import type { OutboundHttp } from '../platform/outbound/http.js';
import type { Metrics } from '../platform/metrics.js';
import type { PingStore } from './store/pings.js';
import { createGroupCommit } from '../lib/groupCommit.js';
import { createPingAdmission } from './admission.js';
import { askBuyers } from './askBuyers.js';
import { SCREENED_AFTER_MS } from './deadlines.js';
import { createPingHealth, type PingHealthDeps } from './pingHealth.js';
import {
  createScreening,
  deadlineOf,
  type PingItem,
  type ScreenedPing,
  type ScreeningDeps,
} from './screening.js';
import { createPingService, type AskAll, type PingServiceDeps } from './service.js';
import { createStoring, type OnStored, type Storing } from './recordPings.js';
import type { Pings } from './types.js';

/** Few, so that under load each group is large; two, so that one slow query does not delay every ping. */
const IN_FLIGHT_MAX = 2;
/** The process decides this many in a few milliseconds. */
const GROUP_MAX = 200;
/** As many as can wait within a deadline at 1,500 a second. */
const QUEUE_MAX = 2_000;

/** A group costs its queries, however many pings share them: at 500 a second fifteen pings do. */
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
    Omit<PingServiceDeps, 'admit' | 'screening' | 'storing' | 'ask'>,
    Omit<PingHealthDeps, 'clock' | 'destinations'> {
  destinations: ScreeningDeps['destinations'] & PingHealthDeps['destinations'];
  outbound: Pick<OutboundHttp, 'send'>;
  keyring: Pick<Keyring, 'claimHash' | 'open'>;
  metrics: Pick<Metrics, 'pings' | 'liveBids'>;
  pings: Pick<PingStore, 'insert'>;
  onStored: OnStored;
}

export function createPings(deps: PingsDeps): Pings {
  const admit = createPingAdmission(deps.accountCache);
  return createPingService({
    ...deps,
    admit,
    ask: createAsk(deps),
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
  });
}

function createAsk(deps: PingsDeps): AskAll {
  const health = createPingHealth(deps);
  return async (asking) => {
    const bids = await askBuyers(asking, { ...deps, health });
    for (const bid of bids.values()) deps.metrics.liveBids.inc({ result: resultOf(bid) });
    return bids;
  };
}

/** One label for all statuses: a buyer can invent any. */
const resultOf = (bid: LiveBid): string => {
  if (bid.kind === 'bid') return 'bid';
  return bid.reason.startsWith('http_') ? 'http_error' : bid.reason;
};
