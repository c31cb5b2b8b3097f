/** How an answer states what a rate limit allows, for each kind of limiter. */

export interface RatePolicy {
  name: string;
  /** Maximum uses within the window. */
  quota: number;
  windowSeconds: number;
}

/** The caller's state under the policy that decided. */
export interface RateState {
  name: string;
  /** Uses left. */
  remaining: number;
  /** Seconds until the quota is full again; after a refusal, until a retry may pass. */
  resetSeconds: number;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11: each policy, and the state of the one that decided.
 * `Retry-After` is written with the refusal (contract 1.3).
 */
export const rateLimitHeaders = (
  policies: readonly RatePolicy[],
  { name, remaining, resetSeconds }: RateState,
): Record<string, string> => ({
  'RateLimit-Policy': policies
    .map((one) => `"${one.name}";q=${one.quota};w=${one.windowSeconds}`)
    .join(', '),
  RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
});
