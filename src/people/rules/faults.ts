/** Refusals of what a person typed. */
import { AppError, type FieldErrorCode } from '../../lib/errors.js';

/** Names the field, its rule and what would be right: for forms, and for actions, which name it by its path. */
export const invalidField = (field: string, code: FieldErrorCode, message: string): AppError =>
  new AppError('validation_failed', message, {
    field_errors: [{ field, code, message }],
    details: [{ path: field, code, message }],
  });
