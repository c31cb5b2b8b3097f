/** The rate limits of suppliers and buyers: exact across processes, and on the current account. */
import { AppError } from '../../lib/errors.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import { verdictHeaders, type RateVerdict } from '../../platform/rateLimits/verdict.js';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';
import { requireSupplier } from './requirePartner.js';
import type { AccountCache, SupplierAccess } from './accountCache.js';

interface RateDeps {
  accountCache: AccountCache;
  limiter: RateLimiter;
}

/** A caller from the cache, which may be older than the account. */
interface Known {
  org_id: string;
  /** The organization's account version at the time of the read. */
  version: number;
}

/** One use of the service that has a rate limit. */
export interface Allowance<A = SupplierAccess> {
  /** Names it in the RateLimit headers. */
  name: string;
  limitOf(access: A): RateLimit;
  /** What is counted, as in "More than 100 leads a second". */
  counted: string;
  /** What to do after the wait, as in "Send this one again in 2 s". */
  again: string;
  /** Its requests are decided on the account as it is now: it is read while MongoDB grants tokens. */
  readsAccount?: true;
}

export interface Allowed<A = SupplierAccess> {
  access: A;
  /** The account was read after the request had begun. */
  isCurrent: boolean;
  /** The RateLimit headers of the response. */
  headers: Record<string, string>;
}

/** How many leads a supplier may send (contract 3.4). */
export const INGEST_ALLOWANCE: Allowance = {
  name: 'ingest',
  limitOf: (access) => access.rate_limit,
  counted: 'leads',
  again: 'Send this one again',
  readsAccount: true,
};

/** How many pings a supplier may send (contract 5.6: a separate limit, higher than ingest). */
export const PING_ALLOWANCE: Allowance = {
  name: 'ping',
  limitOf: (access) => access.ping_rate_limit,
  counted: 'pings',
  again: 'Send this one again',
  readsAccount: true,
};

/**
 * Takes a token of the allowance of the supplier this key belongs to.
 * @throws {AppError} `unauthorized`, `rate_limited`
 */
export const takeToken = (
  keyHash: string,
  allowance: Allowance,
  deps: RateDeps,
): Promise<Allowed> =>
  takeCallerToken(
    () => requireSupplier(keyHash, deps.accountCache),
    ({ supplier_id }) => supplier_id,
    allowance,
    deps,
  );

/**
 * The same for any caller.
 * @param require returns the caller as it is cached
 * @param idOf the id of the supplier or buyer that the limit belongs to
 * @throws {AppError} `rate_limited`, and what `require` throws
 */
export async function takeCallerToken<A extends Known>(
  require: () => Promise<A>,
  idOf: (access: A) => string,
  allowance: Allowance<A>,
  deps: RateDeps,
): Promise<Allowed<A>> {
  const { accountCache, limiter } = deps;
  const keyOf = (access: A): string => `${allowance.name}:${idOf(access)}`;
  const take = (access: A): Promise<RateVerdict> =>
    limiter.take(keyOf(access), allowance.limitOf(access));
  const remembered = await require();
  // One read for each call that grants tokens: a lone request does not wait for it, and a flood shares tokens.
  const reads = allowance.readsAccount === true && limiter.beginsDraw(keyOf(remembered));
  const [first] = await Promise.all([
    take(remembered),
    reads ? accountCache.refresh([remembered.org_id]) : undefined,
  ]);
  if (first.allowed) {
    const access = reads ? await require() : remembered;
    return { access, isCurrent: reads, headers: headersOf(allowance, remembered, first) };
  }
  // A refusal is given only on the current account: the limit may have been raised, or the key revoked.
  await accountCache.refreshShared(remembered.org_id);
  const access = await require();
  const verdict = access.version === remembered.version ? first : await take(access);
  if (verdict.allowed)
    return { access, isCurrent: true, headers: headersOf(allowance, access, verdict) };
  throw limited(allowance, access, verdict);
}

const headersOf = <A>(
  allowance: Allowance<A>,
  access: A,
  verdict: RateVerdict,
): Record<string, string> => verdictHeaders(verdict, allowance.name, allowance.limitOf(access));

function limited<A>(allowance: Allowance<A>, access: A, verdict: RateVerdict): AppError {
  const retry_after = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000));
  const { per_second, burst_per_second, burst_seconds } = allowance.limitOf(access);
  const bursts =
    burst_per_second > per_second ? ` (bursts of ${burst_per_second} for ${burst_seconds} s)` : '';
  const message =
    `More than ${per_second} ${allowance.counted} a second${bursts}. ` +
    `${allowance.again} in ${retry_after} s.`;
  return new AppError('rate_limited', message, {
    retry_after,
    headers: headersOf(allowance, access, verdict),
  });
}
