import { AppError } from '../lib/errors.js';

/** Seconds after which a change that is stored should be made. */
const RETRY_AFTER_SECONDS = 10;

/** It is stored, or was perhaps stored: then it is made, and who asks again under its id hears what came of it. */
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
