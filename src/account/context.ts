/** The organization, the author and the dependencies of the account's functions. */
import type { Clock } from '../lib/clock.js';
import type { Keyring } from '../platform/security/seal.js';
import type { OutboundPolicy } from './buyers/delivery/method.js';
import type { PlanAuthor } from './rules/plan.js';
import type { AccountCollections } from './store/collections.js';

/** The first parameter of a function of the account, which picks what it needs. */
export interface AccountContext {
  collections: AccountCollections;
  /** The organization whose account it is. */
  orgId: string;
  /** Seals secrets before they are stored. */
  keyring: Keyring;
  /** Where this installation may send. */
  policy: OutboundPolicy;
  clock: Pick<Clock, 'now'>;
  /** Author of the change; absent: the service itself. */
  author?: PlanAuthor;
}
