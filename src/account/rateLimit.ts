import type { RateLimit } from '../platform/rateLimits/store/rateDoc.js';
import { checkInteger } from './values.js';

/** Contract 3.4: 100 a second, and bursts of 200 a second for 10 seconds. */
export const DEFAULT_RATE_LIMIT: RateLimit = {
  per_second: 100,
  burst_per_second: 200,
  burst_seconds: 10,
};

/** Contract 5.6 has pings higher than leads: 500 a second, and bursts of 1,000 a second for 10 seconds. */
export const DEFAULT_PING_RATE_LIMIT: RateLimit = {
  per_second: 500,
  burst_per_second: 1_000,
  burst_seconds: 10,
};

/** For a buyer's postbacks: 100 a second (contract 7.4). */
export const DEFAULT_POSTBACK_RATE_LIMIT: RateLimit = {
  per_second: 100,
  burst_per_second: 100,
  burst_seconds: 1,
};

/**
 * @param name of the setting, as problems name it
 * @throws {AppError} `validation_failed` naming the first number that is out of range
 */
export function checkRateLimit(
  limit: RateLimit,
  name: 'rate_limit' | 'ping_rate_limit' = 'rate_limit',
): RateLimit {
  const perSecond = checkInteger(`${name}.per_second`, limit.per_second, 1, 100_000);
  return {
    per_second: perSecond,
    burst_per_second: checkInteger(
      `${name}.burst_per_second`,
      limit.burst_per_second,
      perSecond,
      100_000,
    ),
    burst_seconds: checkInteger(`${name}.burst_seconds`, limit.burst_seconds, 1, 3_600),
  };
}
