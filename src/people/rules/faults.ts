/** Refusals of what a person typed. */
import { AppError, type FieldErrorCode } from '../../lib/errors.js';

interface Fault {
  field: string;
  code: FieldErrorCode;
  message: string;
}

/** Names every field, its rule and what would be right: for forms, and for actions, which name them by path. */
export function invalidFields(faults: readonly Fault[]): AppError {
  const message = faults.map((fault) => fault.message).join(' ');
  return new AppError('validation_failed', message, {
    field_errors: [...faults],
    details: faults.map(({ field, ...fault }) => ({ path: field, ...fault })),
  });
}

export const invalidField = (field: string, code: FieldErrorCode, message: string): AppError =>
  invalidFields([{ field, code, message }]);
