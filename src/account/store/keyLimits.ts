/** How often a key of the Actions API may call (contract 9.4). */

/** Maximum calls in any 60 seconds, and maximum writes among them. */
export interface KeyLimits {
  calls_per_minute: number;
  writes_per_minute: number;
}

/** Those of a key for which the operator has set none. */
export const DEFAULT_KEY_LIMITS: KeyLimits = { calls_per_minute: 120, writes_per_minute: 30 };

/** The instants of a minute's calls are in one document, which each call reads and writes. */
export const CALLS_MAX = 10_000;
