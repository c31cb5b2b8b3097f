/** The faults of a form from an error: of a field, or of the whole. */
import { AppError } from '../../../lib/errors.js';

export interface Faults {
  /** By the name of the field; the first fault of each. */
  fields: Partial<Record<string, string>>;
  /** About the form as a whole. */
  alert?: string;
  status: number;
  headers?: Record<string, string>;
}

/**
 * @param error thrown by an operation
 * @param names the fields of the form, top down
 * @param refusedAt the field that stands for a wrong password or code; absent: the form as a whole shows it
 * @throws {unknown} an error that is no refusal to the caller, or that the form cannot fix
 */
export function faultsOf(error: unknown, names: readonly string[], refusedAt?: string): Faults {
  if (!(error instanceof AppError) || error.status >= 500) throw error;
  const { details = [], field_errors: ofFields = [], retry_after: retryAfter } = error.extras;
  const faults = [...details, ...ofFields.map(({ field, message }) => ({ path: field, message }))];
  const fields: Partial<Record<string, string>> = {};
  for (const { path, message } of faults) if (names.includes(path)) fields[path] ??= message;
  if (error.code === 'unauthorized' && refusedAt !== undefined) fields[refusedAt] = error.message;
  return {
    status: error.status,
    fields,
    alert: Object.keys(fields).length === 0 ? error.message : undefined,
    headers: retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) },
  };
}
