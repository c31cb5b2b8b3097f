/** The supplier's allowance: exact across processes, and as it is now. */
import { AppError } from '../errors.js';
import type { RateLimiter } from '../rateLimit/limiter.js';
import { rateLimitHeaders, type RateVerdict } from '../rateLimit/verdict.js';
import { requireSupplier } from './access.js';
import type { Directory, SupplierAccess } from './directory.js';

interface RateDeps {
  directory: Directory;
  limiter: RateLimiter;
}

export interface Allowed {
  access: SupplierAccess;
  /** The RateLimit headers of the answer. */
  headers: Record<string, string>;
}

/**
 * Takes a token of the allowance of the supplier this key belongs to.
 * @throws {AppError} `unauthorized`, `rate_limited`
 */
export async function takeToken(keyHash: string, deps: RateDeps): Promise<Allowed> {
  const remembered = await requireSupplier(keyHash, deps.directory);
  const first = await take(remembered, deps);
  if (first.allowed) return allowed(remembered, first);
  // A refusal is only given on the account as it is now: the limit may have been raised, the key revoked.
  await deps.directory.refreshShared(remembered.org_id);
  const access = await requireSupplier(keyHash, deps.directory);
  const verdict = access.version === remembered.version ? first : await take(access, deps);
  if (verdict.allowed) return allowed(access, verdict);
  throw limited(access, verdict);
}

const take = (access: SupplierAccess, { limiter }: RateDeps): Promise<RateVerdict> =>
  limiter.take(`ingest:${access.supplier_id}`, access.rate_limit);

const headersOf = (access: SupplierAccess, verdict: RateVerdict): Record<string, string> =>
  rateLimitHeaders(verdict, 'ingest', access.rate_limit);

const allowed = (access: SupplierAccess, verdict: RateVerdict): Allowed => ({
  access,
  headers: headersOf(access, verdict),
});

function limited(access: SupplierAccess, verdict: RateVerdict): AppError {
  const retry_after = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
  const { per_second, burst_per_second, burst_seconds } = access.rate_limit;
  const message =
    `More than ${per_second} leads a second (bursts of ${burst_per_second} for ${burst_seconds} s). ` +
    `Send this one again in ${retry_after} s.`;
  return new AppError('rate_limited', message, {
    retry_after,
    headers: headersOf(access, verdict),
  });
}
