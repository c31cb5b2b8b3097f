/** Members and invitations as lists show them. */
import { AppError } from '../../lib/errors.js';
import type { InviteDoc } from '../store/linkDoc.js';
import type { MembershipDoc } from '../store/personDocs.js';
import type { Member } from '../types.js';

/** Members and open invitations that a list shows; further invitations are refused. */
export const MEMBERS_MAX = 1_000;

export const memberOf = (
  { _id, scope, role, created_at }: MembershipDoc,
  { email, name }: { email: string; name: string },
): Member => ({ id: _id, state: 'active', scope, role, email, name, since: created_at });

export function invitedOf(invite: InviteDoc): Member {
  const { id, scope, role, email, created_at: since, expires_at } = invite;
  return { id, state: 'invited', scope, role, email, name: '', since, expires_at };
}

export const noSuchMember = (): AppError => new AppError('not_found', 'There is no such member.');
