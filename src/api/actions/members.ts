/** Shared by the actions on members: the author, and the refusals. */
import { AppError } from '../../lib/errors.js';
import type { Inviter, OrgRole, PartnerRole, Scope } from '../../people/types.js';
import { findMissing } from './access.js';
import type { Caller } from './action.js';
import { permissionsGiven } from './roles.js';

export const inviterOf = ({ actor: { kind, id, name } }: Caller): Inviter => ({ kind, id, name });

/**
 * A caller gives no role that may do more than itself: by a member of its own, such as its own mailbox, it would have
 * what it was not given.
 * @param kind what the role is of: the organization, or a portal
 * @throws {AppError} `forbidden`, with the first permission it lacks as `required`
 */
export function requireRightsOf(
  kind: Scope['kind'],
  role: OrgRole | PartnerRole,
  { permissions }: Pick<Caller, 'permissions'>,
): void {
  const missing = findMissing(permissions, permissionsGiven(kind, role));
  if (missing === undefined) return;
  const place = kind === 'organization' ? '' : ` in a ${kind}'s portal`;
  throw new AppError(
    'forbidden',
    `A caller cannot give the role ${role}${place}, which includes ${missing}: it does not have that itself.`,
    { required: missing },
  );
}

/** Reports a conflict in a change of people's access as any action does. */
export async function refusedOnConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('action_refused', error.message);
  }
}
