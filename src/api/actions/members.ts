/** Shared by the actions on members: the author, and the refusals. */
import { AppError } from '../../lib/errors.js';
import type { Inviter } from '../../people/types.js';
import type { Caller } from './action.js';

export const inviterOf = ({ actor: { kind, id, name } }: Caller): Inviter => ({ kind, id, name });

/** Reports a conflict in a change of members as any action does. */
export async function refusedOnConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('action_refused', error.message);
  }
}
