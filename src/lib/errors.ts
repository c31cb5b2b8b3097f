/** One error type, one table from code to status; `src/api/http/buildApp.ts` is the one place that catches. */
import type { FilterFailure } from './filterFailure.js';

export const ERROR_STATUS = {
  validation_failed: 400,
  malformed_body: 400,
  malformed_request: 400,
  invalid_idempotency_key: 400,
  record_not_found: 400,
  version_conflict: 400,
  action_refused: 400,
  unauthorized: 401,
  forbidden: 403,
  source_paused: 403,
  campaign_paused: 403,
  supplier_capped: 403,
  not_found: 404,
  action_not_found: 404,
  campaign_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  ambiguous: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  filtered: 422,
  invalid_input: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  outcome_unknown: 504,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

export type FieldErrorCode =
  | 'required'
  | 'invalid_format'
  | 'invalid_type'
  | 'not_allowed'
  | 'too_long'
  | 'out_of_range'
  /** Of a ping_id: it is unknown, its time is over, it is another supplier's, or another lead has redeemed it. */
  | 'invalid'
  | 'expired'
  /** Of a field, too: its value differs from the ping's. */
  | 'mismatch'
  | 'already_used';

export interface FieldError {
  field: string;
  code: FieldErrorCode;
  message: string;
}

/** One fault of an action's input; `path` leads to the value, empty for the input as a whole. */
export interface InputFault {
  path: string;
  code: FieldErrorCode;
  message: string;
}

export interface ErrorExtras {
  field_errors?: FieldError[];
  /** Every fault of an action's input (contract 9.3). */
  details?: InputFault[];
  /** The permission that the key lacks (contract 9.5). */
  required?: string;
  filter_errors?: FilterFailure[];
  /** Whole seconds until a retry makes sense; the Retry-After header too. */
  retry_after?: number;
  /** The refused request was kept as this lead (filter refusals). */
  lead_id?: string;
  /** Headers of the answer in addition to Retry-After: Allow, the RateLimit fields. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error that the caller sees. `message` is for the caller, `cause` for the log only. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly extras: ErrorExtras = {},
  ) {
    super(message, { cause: extras.cause });
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Seconds after which an accepted request is decided, and recognized when it is sent again. */
const RECOGNIZED_AFTER = 10;

/**
 * Neither an acceptance nor a refusal is certain: the lead was stored, and then the database did not answer any more.
 * Sent again, the request gets the answer of the first if that was accepted.
 */
export const outcomeUnknown = (cause?: unknown): AppError =>
  new AppError(
    'outcome_unknown',
    `The result is unknown. Send the lead again, unchanged, in ${RECOGNIZED_AFTER} s: if it was accepted, you get ` +
      'its answer.',
    { retry_after: RECOGNIZED_AFTER, cause },
  );

/** Any unforeseen error; its cause is for the log alone. */
export const internal = (cause: unknown): AppError =>
  new AppError('internal', 'Something failed on our side; it is logged under this request_id.', {
    cause,
  });

/** A definitive refusal: nothing was accepted, and the same request may be sent again after `retryAfter` seconds. */
export const unavailable = (message: string, cause?: unknown, retryAfter = 2): AppError =>
  new AppError('unavailable', message, { retry_after: retryAfter, cause });

/** Refuses values, each at its field: the message has every fault. */
export const invalidFields = (field_errors: FieldError[]): AppError =>
  new AppError('validation_failed', field_errors.map(({ message }) => message).join(' '), {
    field_errors,
  });

/** Handles a rejection: null where there is no such record, any other error as it is. */
export function nullIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
