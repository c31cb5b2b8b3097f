/** The account's refusals in the words of the caller's surface. */
import { AppError } from '../../lib/errors.js';
import { invalidInput } from '../actions/readInput.js';
import { inputRefused, notYours } from '../partner/refusals.js';
import type { Caller } from './caller.js';
import type { Definition } from './definition.js';

/** The work's error about a record or a value (contract 9.3). */
export function refused(error: unknown, call: Definition, { party }: Caller): never {
  const isUnknown = error instanceof AppError && error.code === 'not_found';
  if (!party) return isUnknown ? unknownRecord(error) : valueRefused(error, call);
  // A message could name another partner's record: one answer for every record that is not the partner's.
  if (isUnknown) throw notYours();
  return inputRefused(error);
}

function unknownRecord({ message }: AppError): never {
  throw new AppError('record_not_found', message);
}

function valueRefused(error: unknown, { input }: Definition): never {
  const faults =
    error instanceof AppError && error.code === 'validation_failed' && error.extras.field_errors;
  if (!faults) throw error;
  const keys = Object.keys(input.shape);
  throw invalidInput(
    faults.map(({ field, message, code }) => {
      const path = placeIn(keys, field);
      return { path, code, message: message.replaceAll(field, path) };
    }),
  );
}

/** Where the value is in the input: an action on one part of a record has the keys of that part as its own. */
function placeIn(keys: readonly string[], field: string): string {
  const [head = '', ...rest] = field.split('.');
  return !keys.includes(head) && keys.includes(rest[0] ?? '') ? rest.join('.') : field;
}
