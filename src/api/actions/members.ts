/** Shared by the actions on members: the author, and the refusals. */
import { AppError } from '../../lib/errors.js';
import type { Inviter, OrgRole } from '../../people/types.js';
import { findMissing } from './access.js';
import type { Caller } from './action.js';
import { rightsOf } from './roles.js';

export const inviterOf = ({ actor: { kind, id, name } }: Caller): Inviter => ({ kind, id, name });

/**
 * A caller gives no role that may do more than itself: by a member of its own it would have what it was not given.
 * @throws {AppError} `forbidden`, with the first permission it lacks as `required`
 */
export function requireRightsOf(role: OrgRole, { permissions }: Pick<Caller, 'permissions'>): void {
  const missing = findMissing(permissions, rightsOf(role).permissions);
  if (missing === undefined) return;
  throw new AppError(
    'forbidden',
    `A caller cannot give the role ${role}, which includes ${missing}: it does not have that itself.`,
    { required: missing },
  );
}

/** Reports a conflict in a change of members as any action does. */
export async function refusedOnConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('action_refused', error.message);
  }
}
