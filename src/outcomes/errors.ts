import { AppError } from '../lib/errors.js';

/** Seconds after which a stored change should be applied. */
const RETRY_AFTER_SECONDS = 10;

/** The change is stored, or may be: then it is applied, and a repetition under its id receives the result. */
export const outcomeUnknown = (cause?: unknown): AppError =>
  new AppError(
    'outcome_unknown',
    'Whether the outcome was recorded is unknown. Send it again with the same idempotency_key in ' +
      `${RETRY_AFTER_SECONDS} s: it is not recorded twice.`,
    { retry_after: RETRY_AFTER_SECONDS, cause },
  );

export const notDelivered = (leadId: string): AppError =>
  new AppError('not_found', `There is no lead ${leadId} that was delivered to this buyer.`);

export const keyReused = (): AppError =>
  new AppError(
    'conflict',
    'This idempotency_key was used with another body. Use a new key for a new outcome.',
  );
