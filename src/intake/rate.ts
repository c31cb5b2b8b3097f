/** The allowances of a supplier: exact across processes, and as they are now. */
import { AppError } from '../errors.js';
import type { RateLimiter } from '../rateLimit/limiter.js';
import { rateLimitHeaders, type RateVerdict } from '../rateLimit/verdict.js';
import type { RateLimit } from '../store/collections.js';
import { requireSupplier } from './access.js';
import type { Directory, SupplierAccess } from './directory.js';

interface RateDeps {
  directory: Directory;
  limiter: RateLimiter;
}

/** One use of the service with a limit of its own. */
export interface Allowance {
  /** Names it in the RateLimit headers. */
  name: string;
  limitOf(access: SupplierAccess): RateLimit;
  /** What is counted, as in "More than 100 leads a second". */
  counted: string;
  /** What to do in so many seconds, as in "Send this one again in 2 s". */
  again: string;
}

export interface Allowed {
  access: SupplierAccess;
  /** The RateLimit headers of the answer. */
  headers: Record<string, string>;
}

/** What a supplier may send (specification 8). */
export const INGEST_ALLOWANCE: Allowance = {
  name: 'ingest',
  limitOf: (access) => access.rate_limit,
  counted: 'leads',
  again: 'Send this one again',
};

/** What a supplier may ask (specification 8: a limit of its own, higher than ingest). */
export const PING_ALLOWANCE: Allowance = {
  name: 'ping',
  limitOf: (access) => access.ping_rate_limit,
  counted: 'pings',
  again: 'Send this one again',
};

/**
 * Takes a token of the allowance of the supplier this key belongs to.
 * @throws {AppError} `unauthorized`, `rate_limited`
 */
export async function takeToken(
  keyHash: string,
  allowance: Allowance,
  deps: RateDeps,
): Promise<Allowed> {
  const take = (access: SupplierAccess): Promise<RateVerdict> =>
    deps.limiter.take(`${allowance.name}:${access.supplier_id}`, allowance.limitOf(access));
  const remembered = await requireSupplier(keyHash, deps.directory);
  const first = await take(remembered);
  if (first.allowed)
    return { access: remembered, headers: headersOf(allowance, remembered, first) };
  // A refusal is only given on the account as it is now: the limit may have been raised, the key revoked.
  await deps.directory.refreshShared(remembered.org_id);
  const access = await requireSupplier(keyHash, deps.directory);
  const verdict = access.version === remembered.version ? first : await take(access);
  if (verdict.allowed) return { access, headers: headersOf(allowance, access, verdict) };
  throw limited(allowance, access, verdict);
}

const headersOf = (
  allowance: Allowance,
  access: SupplierAccess,
  verdict: RateVerdict,
): Record<string, string> => rateLimitHeaders(verdict, allowance.name, allowance.limitOf(access));

function limited(allowance: Allowance, access: SupplierAccess, verdict: RateVerdict): AppError {
  const retry_after = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
  const { per_second, burst_per_second, burst_seconds } = allowance.limitOf(access);
  const message =
    `More than ${per_second} ${allowance.counted} a second (bursts of ${burst_per_second} for ` +
    `${burst_seconds} s). ${allowance.again} in ${retry_after} s.`;
  return new AppError('rate_limited', message, {
    retry_after,
    headers: headersOf(allowance, access, verdict),
  });
}
