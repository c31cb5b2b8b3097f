/** The body of an error for the caller (contract 1.3). */
import type { z } from 'zod';
import type { AppError } from '../../lib/errors.js';
import type { ErrorBody } from '../schemas/error.js';

/** Seconds to wait before a retry; a 429 or 503 always names some. */
export function retryAfterOf(error: AppError): number | undefined {
  const fallback = error.status === 429 || error.status === 503 ? 1 : undefined;
  return error.extras.retry_after ?? fallback;
}

/** Keys without a value are left out by the JSON encoder. */
export function errorBody(error: AppError, requestId: string): z.infer<typeof ErrorBody> {
  const { field_errors, filter_errors, details, required, lead_id } = error.extras;
  return {
    error: error.code,
    message: error.message,
    request_id: requestId,
    field_errors,
    filter_errors,
    details,
    required,
    retry_after: retryAfterOf(error),
    lead_id,
  };
}
