/** What actions on members have in common: whose name they act in, and how refusals are told. */
import { AppError } from '../../lib/errors.js';
import type { Inviter } from '../../people/types.js';
import type { Caller } from './action.js';

export const inviterOf = ({ actor: { kind, id, name } }: Caller): Inviter => ({ kind, id, name });

/** What stands against a change of members is told as what stands against any action. */
export async function refusedOnConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('action_refused', error.message);
  }
}
