/** The identity of a person at a membership, as pages ask for it: in the organization, or in a portal. */
import type { FoundMembership } from '../../people/entered.js';
import type { Membership, SignedIn } from '../../people/types.js';
import type { ReadBody } from './definition.js';
import type { Witness } from '../../platform/security/witness.js';

/** A signed-in person at one of its memberships. */
export interface Seat {
  signedIn: SignedIn;
  membershipId: string;
  /** As it was read with the session of the request; absent: it is read when it is needed. */
  found?: FoundMembership;
}

/** What a request asks for. */
export interface Asked {
  name: string;
  /** Read only when the caller is known and within its limit. */
  body: ReadBody;
  witness: Witness;
}

export const personAt = ({ person, is_fresh }: SignedIn, { id, scope, role }: Membership) => ({
  person: { id: person.id, name: person.name, email: person.email },
  membership: { id, side: scope.kind, role },
  is_fresh,
});
