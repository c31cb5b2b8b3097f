/** Shared by the actions on members: the inviter, what a role grants, and conflicts. */
import { AppError } from '../../lib/errors.js';
import type { Inviter, OrgRole, PartnerRole, Scope } from '../../people/types.js';
import type { Caller } from '../calls/caller.js';
import type { Given } from '../calls/definition.js';
import { permissionsGiven } from './roles.js';

export const inviterOf = ({ actor: { kind, id, name } }: Caller): Inviter => ({ kind, id, name });

/** @param kind what the role is of: the organization, or a portal */
export const grantedBy = (kind: Scope['kind'], role: OrgRole | PartnerRole): Given => ({
  permissions: permissionsGiven(kind, role),
  role: kind === 'organization' ? role : `${role} in a ${kind}'s portal`,
});

/** Reports a conflict in a change of people's access as `action_refused`, as every action does. */
export async function refuseConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('action_refused', error.message);
  }
}
