import type { Directory } from '../account/access/directory.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Clock } from '../lib/clock.js';
import type { GroupCommit } from '../lib/groupCommit.js';
import type { Log } from '../lib/log.js';
import type { RateLimiter } from '../platform/rateLimits/limiter.js';
import type { Admit } from './admission.js';
import type { Answers } from './answers.js';
import type { Item, Taken } from './group.js';
import type { Marks } from './marks.js';
import type { ShownBuyer } from './shownBuyer.js';
import type { IdempotencyStore } from './store/idempotency.js';

export interface IntakeDeps {
  directory: Directory;
  admit: Admit;
  limiter: RateLimiter;
  groups: GroupCommit<Item, Taken>;
  answers: Answers;
  leads: LeadStore;
  idempotency: IdempotencyStore;
  marks: Marks;
  shownBuyer: ShownBuyer;
  clock: Clock;
  log: Log;
}
