/**
 * Group commit, as a database does it for its log: what arrives while a group is being handed over goes
 * with the next one. A lone item is a group of one, and goes at once.
 */
import { unavailable } from './errors.js';

export interface GroupCommitOptions<T, R> {
  /** Groups handed over at once. */
  maxInFlight: number;
  /** Items in a group at the most. */
  groupMax: number;
  /**
   * Groups that are not full begin so far apart at least, in milliseconds: many small items cost less in groups that
   * are not small. 0 unless told otherwise.
   */
  intervalMs?: number;
  /**
   * While a group is being handed over, one that is not full lingers so long for company before it takes a lane of its
   * own, in milliseconds: a group costs much, and an item little. 0 unless told otherwise.
   */
  lingerMs?: number;
  /** Items waiting at the most; more are refused at once. */
  queueMax: number;
  /** An item that is not being handed over by then is refused; on the clock of `performance.now()`. */
  refuseAt: (item: T) => number;
  /** What it hands over, in messages; a lead unless told otherwise. */
  noun?: string;
  /** Hands a group over and settles each item, in order. Throwing refuses the whole group. */
  commit(items: readonly T[]): Promise<PromiseSettledResult<R>[]>;
}

export interface GroupCommit<T, R> {
  /** @throws {AppError} `unavailable` when the queue is full or the item came or waited too long */
  submit(item: T): Promise<R>;
  /** Ends when nothing waits and nothing is being handed over. */
  idle(): Promise<void>;
}

interface Waiting<T, R> {
  item: T;
  since: number;
  refuseAt: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

const SWEEP_INTERVAL_MS = 100;

export function createGroupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  let queue: Waiting<T, R>[] = [];
  const onIdle: (() => void)[] = [];
  let inFlight = 0;
  let sweeper: NodeJS.Timeout | undefined;
  let nextAt = 0;
  let paced: NodeJS.Timeout | undefined;
  const { noun = 'lead', intervalMs = 0, lingerMs = 0 } = options;
  const tooLate = () =>
    unavailable(`The service is too busy to take the ${noun} now. Send it again.`);

  /** From when on what waits may be handed over; on the clock of `performance.now()`. */
  const mayBegin = (): number => {
    if (queue.length >= options.groupMax) return 0;
    const lingerUntil = inFlight === 0 ? 0 : (queue[0]?.since ?? 0) + lingerMs;
    return Math.max(lingerUntil, nextAt);
  };

  /** Whether what waits is to wait for company; then it is looked after. */
  const waitsForMore = (): boolean => {
    const now = performance.now();
    const at = mayBegin();
    if (now < at) {
      // It never has to ring earlier: the times only grow, and a lane that is free is looked at when it becomes so.
      paced ??= setTimeout(() => {
        paced = undefined;
        pump();
      }, at - now);
      return true;
    }
    if (queue.length < options.groupMax) nextAt = now + intervalMs;
    return false;
  };

  const pump = () => {
    while (inFlight < options.maxInFlight && queue.length > 0 && !waitsForMore()) {
      inFlight += 1;
      void commit(queue.splice(0, options.groupMax)).finally(() => {
        inFlight -= 1;
        pump();
        if (inFlight === 0 && queue.length === 0) onIdle.splice(0).forEach((resolve) => resolve());
      });
    }
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

  /** Whoever has waited too long gets a true no, for nothing of it is stored. */
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
    submit(item) {
      if (queue.length >= options.queueMax) {
        const message = `Too many ${noun}s are waiting to be taken. Send this one again.`;
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
    idle() {
      if (inFlight === 0 && queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => onIdle.push(resolve));
    },
  };
}
