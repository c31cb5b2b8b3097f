/**
 * Group commit, as a database does it for its log: what arrives while a group is in flight goes
 * with the next one. A lone item is a group of one, and goes at once.
 */
import { unavailable } from './errors.js';
import { meanAfter, partialWaitMs } from './groupPace.js';

export interface GroupCommitOptions<T, R> {
  /** Maximum groups in flight. */
  maxInFlight: number;
  /** Maximum items in a group. */
  groupMax: number;
  /**
   * Minimum milliseconds from the start of one partial group to the next: many small items cost less in groups that
   * are not small (default 0).
   */
  intervalMs?: number;
  /** Milliseconds for which an item waits for others although none is in flight (default 0: a lone one goes at once). */
  gatherMs?: number;
  /**
   * The least milliseconds a partial group waits for more items while others are in flight; it waits longer where groups
   * take longer (`groupPace.ts`). Absent: it waits for none.
   */
  lingerMs?: number;
  /** Maximum items that wait; more are refused at once. */
  queueMax: number;
  /** An item whose group is not in flight by then is refused; on the clock of `performance.now()`. */
  refuseAt: (item: T) => number;
  /** What an item is called in messages (default lead). */
  noun?: string;
  /** Commits a group and settles each item, in order. Throwing refuses the whole group. */
  commit(items: readonly T[]): Promise<PromiseSettledResult<R>[]>;
  /** Called when a group is settled. */
  onSettled?(group: { size: number; tookMs: number }): void;
}

export type GroupCommit<T, R> = ReturnType<typeof createGroupCommit<T, R>>;

interface Waiting<T, R> {
  item: T;
  since: number;
  refuseAt: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

const SWEEP_INTERVAL_MS = 100;

export function createGroupCommit<T, R>(options: GroupCommitOptions<T, R>) {
  let queue: Waiting<T, R>[] = [];
  const onIdle: (() => void)[] = [];
  let inFlight = 0;
  let sweeper: NodeJS.Timeout | undefined;
  let nextAt = 0;
  /** The running mean of a group's time. */
  let meanMs = 0;
  let waitTimer: NodeJS.Timeout | undefined;
  const { noun = 'lead', intervalMs = 0, gatherMs = 0, lingerMs, groupMax } = options;
  const tooLate = () =>
    unavailable(`The service is too busy to accept the ${noun} now. Send it again.`);

  /** The time from which waiting items may start a group; on the clock of `performance.now()`. */
  const mayBegin = (): number => {
    const [oldest] = queue;
    if (!oldest || queue.length >= groupMax) return 0;
    const beginsAt = Math.max(oldest.since + gatherMs, nextAt);
    if (lingerMs === undefined) return beginsAt;
    const refusedAfterMs = oldest.refuseAt - oldest.since;
    const waitMs = partialWaitMs({ inFlight, meanMs, refusedAfterMs, leastMs: lingerMs });
    return Math.max(oldest.since + waitMs, beginsAt);
  };

  /** Whether items have to wait for more; if so, it sets a timer. */
  const waitsForMore = (): boolean => {
    const now = performance.now();
    const at = mayBegin();
    if (now < at) {
      // The timer never has to fire earlier: until a group ends, which sets it anew, the times only grow.
      waitTimer ??= setTimeout(() => {
        waitTimer = undefined;
        pump();
      }, at - now);
      return true;
    }
    if (queue.length < groupMax) nextAt = now + intervalMs;
    return false;
  };

  const pump = () => {
    while (inFlight < options.maxInFlight && queue.length > 0 && !waitsForMore()) {
      inFlight += 1;
      const group = queue.splice(0, groupMax);
      const begun = performance.now();
      void commit(group).finally(() => {
        inFlight -= 1;
        recordGroup(group.length, performance.now() - begun);
        pump();
        if (inFlight === 0 && queue.length === 0) onIdle.splice(0).forEach((resolve) => resolve());
      });
    }
  };

  /** Waiting items may start earlier now. */
  const recordGroup = (size: number, tookMs: number) => {
    meanMs = meanAfter(meanMs, tookMs);
    clearTimeout(waitTimer);
    waitTimer = undefined;
    options.onSettled?.({ size, tookMs });
  };

  const commit = async (group: Waiting<T, R>[]) => {
    try {
      const results = await options.commit(group.map(({ item }) => item));
      group.forEach((waiting, index) => {
        const result = results[index];
        if (result?.status === 'fulfilled') waiting.resolve(result.value);
        else waiting.reject(result?.reason ?? new Error('The group settled too few items'));
      });
    } catch (error) {
      group.forEach((waiting) => waiting.reject(error));
    }
  };

  /** Refuses items that waited too long: nothing of them is stored. */
  const sweep = () => {
    const now = performance.now();
    const late = queue.filter(({ refuseAt }) => refuseAt <= now);
    if (late.length > 0) queue = queue.filter(({ refuseAt }) => refuseAt > now);
    late.forEach((waiting) => waiting.reject(tooLate()));
    if (queue.length > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  return {
    /** @throws {AppError} `unavailable` when the queue is full or the item came or waited too long */
    submit(item: T): Promise<R> {
      if (queue.length >= options.queueMax) {
        const message = `Too many ${noun}s are waiting. Send this one again.`;
        return Promise.reject(unavailable(message));
      }
      const refuseAt = options.refuseAt(item);
      const since = performance.now();
      if (refuseAt <= since) return Promise.reject(tooLate());
      return new Promise<R>((resolve, reject) => {
        queue.push({ item, since, refuseAt, resolve, reject });
        pump();
        if (queue.length > 0) sweeper ??= setInterval(sweep, SWEEP_INTERVAL_MS).unref();
      });
    },
    /** How many items wait, and how many groups are in flight. */
    load: () => ({ waiting: queue.length, inFlight }),
    /** Resolves when nothing waits and nothing is in flight. */
    idle(): Promise<void> {
      if (inFlight === 0 && queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => onIdle.push(resolve));
    },
  };
}
