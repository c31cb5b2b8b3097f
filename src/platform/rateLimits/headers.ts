/** How an answer states what a rate limit allows, whichever kind of limiter counts. */

export interface RatePolicy {
  name: string;
  /** Most uses within the window. */
  quota: number;
  windowSeconds: number;
}

/** Where the caller stands with the policy that speaks. */
export interface RateState {
  name: string;
  /** Uses left. */
  remaining: number;
  /** Until the quota is whole again; after a refusal, until a retry may pass. */
  resetSeconds: number;
}

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-11: each policy, and the state of the one that speaks.
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
