import type { RateLimit } from '../store/collections.js';
import { checkInteger } from './values.js';

/** Specification 8: 100 a second, and bursts of 200 a second for 10 seconds. */
export const DEFAULT_RATE_LIMIT: RateLimit = {
  per_second: 100,
  burst_per_second: 200,
  burst_seconds: 10,
};

/** @throws {AppError} `validation_failed` naming the first number that is out of range */
export function checkRateLimit(limit: RateLimit): RateLimit {
  const perSecond = checkInteger('rate_limit.per_second', limit.per_second, 1, 100_000);
  return {
    per_second: perSecond,
    burst_per_second: checkInteger(
      'rate_limit.burst_per_second',
      limit.burst_per_second,
      perSecond,
      100_000,
    ),
    burst_seconds: checkInteger('rate_limit.burst_seconds', limit.burst_seconds, 1, 3_600),
  };
}
