/** A request on its way through the intake, and what the intake needs. */
import type { AccountCache } from '../account/access/accountCache.js';
import type { Admittable } from '../account/access/revalidate.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { LeadVerdict } from '../distribution/decider.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Clock } from '../lib/clock.js';
import type { GroupCommit } from '../lib/groupCommit.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../platform/metrics.js';
import type { Redemption } from '../pings/store/pingRedemption.js';
import type { RateLimiter } from '../platform/rateLimits/limiter.js';
import type { Admit, Admitted } from './admission.js';
import type { DecisionPoller } from './decisionPoller.js';
import type { ResponseLog } from './responseLog.js';
import type { IdempotencyStore } from './store/idempotency.js';

export type KeyRow = Pick<IdempotencyDoc, '_id' | 'body_hash'>;

/** A request as a member of a group. */
export interface IntakeItem extends Admittable<Admitted> {
  /** When the request arrived, on the monotonic clock. */
  receivedAt: number;
  /** Present when the request carries an Idempotency-Key. */
  idempotency?: { row: KeyRow; claimed: boolean };
  /** The ping that its lead redeems when it is stored. */
  redemption?: Redemption;
  /** The supplier's connection has closed: its lead is stored as broken. */
  disconnected?: boolean;
}

/** The result of a request that has a lead. `resent`: the request repeats the one of this lead. */
export type Accepted =
  { kind: 'verdict'; verdict: LeadVerdict } | { kind: 'resent'; leadId: string };

/** The result of one request of a group. `join`: an earlier request has its key. */
export type GroupResult = Accepted | { kind: 'join'; row: IdempotencyDoc };

export interface IntakeDeps {
  accountCache: AccountCache;
  admit: Admit;
  limiter: RateLimiter;
  groups: GroupCommit<IntakeItem, GroupResult>;
  decisionPoller: DecisionPoller;
  leads: LeadStore;
  idempotency: IdempotencyStore;
  responseLog: ResponseLog;
  shownBuyer: ShownBuyer;
  metrics: Pick<Metrics, 'countLead'>;
  clock: Clock;
  log: Log;
}
