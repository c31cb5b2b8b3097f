/** Rate limits of pages: of one address, and of one funnel. Counted across processes. */
import { isLoopback } from '../../lib/loopback.js';
import { addressGroup } from '../../platform/security/addressGroup.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { RateLimiter } from '../../platform/rateLimits/limiter.js';
import type { RateLimit } from '../../platform/rateLimits/store/rateDoc.js';

const SUBMITS_PER_MINUTE = 10;
const CHALLENGES_PER_MINUTE = 30;

/** `count` at once, and full again after a minute. */
const perMinute = (count: number): RateLimit => ({
  per_second: count / 60,
  burst_per_second: count,
  // A second of bursts holds what is left after the sustained rate: a little more fills the room.
  burst_seconds: 1.02,
});

export type FunnelAllowances = ReturnType<typeof createFunnelAllowances>;

/**
 * Addresses are stored as a keyed hash. Loopback addresses have no limit: behind a proxy that is not trusted, every
 * visitor comes from one.
 */
export function createFunnelAllowances({
  limiter,
  keyring,
}: {
  limiter: Pick<RateLimiter, 'take'>;
  keyring: Pick<Keyring, 'claimHash'>;
}) {
  const waitOf = async (use: string, address: string, count: number): Promise<number> => {
    const group = addressGroup(address);
    if (isLoopback(address) || isLoopback(group)) return 0;
    const key = `funnel-${use}:${keyring.claimHash(group)}`;
    const { allowed, retryAfterMs } = await limiter.take(key, perMinute(count));
    return allowed ? 0 : Math.max(1, Math.ceil(retryAfterMs / 1_000));
  };
  const isOver = async (use: string, funnelId: string, count: number): Promise<boolean> =>
    !(await limiter.take(`funnel-${use}:${funnelId}`, perMinute(count))).allowed;
  return {
    /** @returns seconds to wait; 0: it may submit now */
    submitFrom: (address: string): Promise<number> => waitOf('submit', address, SUBMITS_PER_MINUTE),
    /** The same for requests for a proof of work. */
    workFor: (address: string): Promise<number> => waitOf('work', address, CHALLENGES_PER_MINUTE),
    /** Whether a funnel receives more submits than expected, and so requires a proof of work. */
    isBusy: (funnelId: string, count: number): Promise<boolean> => isOver('busy', funnelId, count),
    /** Whether the submits that had to prove work also exceed what it expects. */
    isRushed: (funnelId: string, count: number): Promise<boolean> =>
      isOver('rush', funnelId, count),
  };
}
