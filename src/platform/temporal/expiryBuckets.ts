/** Starts one workflow for all pings, or sales, that expire within the same minute, or hour. */
import type { Background } from '../../lib/background.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import { lruMap } from '../../lib/lruMap.js';
import type { ExpiryStarter } from './expiryStarter.js';

interface BucketDeps {
  starter: ExpiryStarter;
  clock: Pick<Clock, 'monotonic'>;
  background: Background;
  log: Pick<Log, 'warn'>;
  /** What expires, for the log; default pings. */
  what?: string;
  /** Default a minute. */
  bucketMs?: number;
}

const MINUTE_MS = 60_000;
/** Buckets remembered: days of minutes, a year of hours. A forgotten one is started again, which changes nothing. */
const BUCKETS_MAX = 10_000;
/** Pause after a failure, in milliseconds, so that a server that is away is not flooded. */
const AGAIN_MS = 1_000;

/** The end of the bucket that the instant is in. */
export const bucketOf = (expiresAt: Date, bucketMs = MINUTE_MS): Date =>
  new Date(Math.ceil(Number(expiresAt) / bucketMs) * bucketMs);

export type ExpiryBuckets = ReturnType<typeof createExpiryBuckets>;

export function createExpiryBuckets({
  starter,
  clock,
  background,
  log,
  what = 'pings',
  bucketMs = MINUTE_MS,
}: BucketDeps) {
  /** Until when a bucket is not started again: forever once its start is in flight. */
  const startedUntil = lruMap<number, number>(BUCKETS_MAX);
  const start = async (until: Date): Promise<void> => {
    try {
      await starter.expire(until);
    } catch (error) {
      startedUntil.set(Number(until), clock.monotonic() + AGAIN_MS);
      log.warn(
        { err: error, until },
        `the expiry of ${what} could not be started; the next one tries again, and reconcile finds the rest`,
      );
    }
  };
  return {
    /**
     * Called when one that expires then is stored. Starts the workflow of its bucket, in the background, unless this
     * process has started it before. Never throws: the next call tries again, and `reconcile` finds the rest.
     */
    stored(expiresAt: Date): void {
      const until = bucketOf(expiresAt, bucketMs);
      if ((startedUntil.get(Number(until)) ?? -Infinity) > clock.monotonic()) return;
      startedUntil.set(Number(until), Infinity);
      background.add(start(until));
    },
  };
}
