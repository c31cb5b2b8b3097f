/**
 * An admin of the organization sees a partner's portal as a viewer of its team does. It needs no membership there: the path names
 * its own, and the partner, as `mem_1.buyer.ID`.
 */
import type { Membership } from '../../people/types.js';
import { partyOf, type Party } from '../../portal/settings.js';

const SEAT = /^(mem_\w+)\.(buyer|supplier)\.([\w-]{1,100})$/;

interface PortalSeat {
  membershipId: string;
  /** Null: the partner of the membership itself. */
  visited: Party | null;
}

/** What the path of a call names; a text of another form is the id of a membership. */
export function readSeat(text: string): PortalSeat {
  const [, membershipId, side, party_id = ''] = SEAT.exec(text) ?? [];
  if (membershipId === undefined || (side !== 'buyer' && side !== 'supplier'))
    return { membershipId: text, visited: null };
  return { membershipId, visited: { side, party_id } };
}

/** The partner whose portal the membership opens there; null: none. */
export function partyAt(membership: Membership, visited: Party | null): Party | null {
  if (!visited) return partyOf(membership.scope);
  const { scope, role } = membership;
  return scope.kind === 'organization' && role === 'admin' ? visited : null;
}

/** The membership of a visitor as the portal has it: it reads, and changes nothing. */
export const asVisitor = (membership: Membership, { side, party_id }: Party): Membership => ({
  ...membership,
  scope:
    side === 'buyer' ? { kind: side, buyer_id: party_id } : { kind: side, supplier_id: party_id },
  role: 'viewer',
});
