/** What the functions of the account work with: whose account it is, in whose name it is changed, and by what means. */
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
  /** In whose name the account is changed; absent: the service's own. */
  author?: PlanAuthor;
}
