/** Who a request comes from, as it was read for it. */
import type { MembershipDoc } from './store/personDocs.js';
import type { SignedIn } from './types.js';

/** The membership that a request names, as it is stored; null: it is not this person's, or there is none. */
export type FoundMembership = MembershipDoc | null;

/** A session that goes on, with the membership that its request names. */
export interface Entered {
  signedIn: SignedIn;
  membership: FoundMembership;
}
