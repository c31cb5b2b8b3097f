/** Refusals as partners receive them. */
import { AppError } from '../../lib/errors.js';
import { invalidInput } from '../actions/readInput.js';

/** The same for records that do not exist and for those of other partners. */
export const notYours = (): AppError =>
  new AppError('not_found', 'This does not exist, or it is not yours.');

/** The account's error about a value, as faults of the input. */
export function inputRefused(error: unknown): never {
  if (error instanceof AppError && error.code === 'validation_failed') {
    const { field_errors, details } = error.extras;
    if (details) throw invalidInput(details);
    if (field_errors)
      throw invalidInput(field_errors.map(({ field, ...rest }) => ({ path: field, ...rest })));
  }
  throw error;
}
