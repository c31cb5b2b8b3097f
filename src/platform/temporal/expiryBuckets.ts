/** Starting what ends by time: one workflow for all that end within the same minute, or hour. */
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
  /** What ends, for the log; default pings. */
  what?: string;
  /** Default a minute. */
  bucketMs?: number;
}

export interface ExpiryBuckets {
  /**
   * One that ends then is stored. Starts what sees to its end, in the background, unless this process has done so for
   * another of its bucket. Never throws: what is not started here, the next one starts, or `reconcile` finds.
   */
  stored(expiresAt: Date): void;
}

const MINUTE_MS = 60_000;
/** Buckets remembered: days of minutes, a year of hours. One that was forgotten is started again, which changes nothing. */
const BUCKETS_MAX = 10_000;
/** After a failure it is not tried again for so long, in milliseconds: a server that is away is not stormed. */
const AGAIN_MS = 1_000;

/** The end of the bucket that the instant is in. */
export const bucketOf = (expiresAt: Date, bucketMs = MINUTE_MS): Date =>
  new Date(Math.ceil(Number(expiresAt) / bucketMs) * bucketMs);

export function createExpiryBuckets({
  starter,
  clock,
  background,
  log,
  what = 'pings',
  bucketMs = MINUTE_MS,
}: BucketDeps): ExpiryBuckets {
  /** Until when a bucket is left alone: for good once its start is under way. */
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
    stored(expiresAt) {
      const until = bucketOf(expiresAt, bucketMs);
      if ((startedUntil.get(Number(until)) ?? -Infinity) > clock.monotonic()) return;
      startedUntil.set(Number(until), Infinity);
      background.add(start(until));
    },
  };
}
