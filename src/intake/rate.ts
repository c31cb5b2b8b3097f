import { AppError } from '../errors.js';
import type { RateLimiter } from '../http/rateLimiter.js';
import { rateLimitHeaders } from '../http/rateVerdict.js';
import type { SupplierAccess } from './directory.js';

/**
 * Takes a token of the supplier's allowance and returns the RateLimit headers of the answer.
 * @throws {AppError} `rate_limited`
 */
export async function takeToken(
  { supplier_id, rate_limit }: SupplierAccess,
  limiter: RateLimiter,
): Promise<Record<string, string>> {
  const verdict = await limiter.take(`ingest:${supplier_id}`, rate_limit);
  const headers = rateLimitHeaders(verdict, 'ingest', rate_limit);
  if (verdict.allowed) return headers;
  const retry_after = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
  const { per_second, burst_per_second, burst_seconds } = rate_limit;
  const message =
    `More than ${per_second} leads a second (bursts of ${burst_per_second} for ${burst_seconds} s). ` +
    `Send this one again in ${retry_after} s.`;
  throw new AppError('rate_limited', message, { retry_after, headers });
}
