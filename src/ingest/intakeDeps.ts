import type { AccountCache } from '../account/access/accountCache.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Clock } from '../lib/clock.js';
import type { GroupCommit } from '../lib/groupCommit.js';
import type { Log } from '../lib/log.js';
import type { RateLimiter } from '../platform/rateLimits/limiter.js';
import type { Admit } from './admission.js';
import type { DecisionPoller } from './decisionPoller.js';
import type { IntakeItem, GroupResult } from './group.js';
import type { ResponseLog } from './responseLog.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { IdempotencyStore } from './store/idempotency.js';

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
  clock: Clock;
  log: Log;
}
