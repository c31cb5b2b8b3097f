/**
 * Group commit, as a database does it for its log: what arrives while a group is being handed over goes
 * with the next one. Nothing waits for a group to fill; a lone item is a group of one.
 */
import { unavailable } from '../errors.js';

export interface GroupCommitOptions<T, R> {
  /** Groups handed over at once. */
  lanes: number;
  /** Items in a group at the most. */
  groupMax: number;
  /** Items waiting at the most; more are refused at once. */
  queueMax: number;
  /** An item that is not being handed over by then is refused; on the clock of `performance.now()`. */
  refuseAt: (item: T) => number;
  /** Hands a group over and settles each item, in order. Throwing refuses the whole group. */
  handOver(items: readonly T[]): Promise<PromiseSettledResult<R>[]>;
}

export interface GroupCommit<T, R> {
  /** @throws {AppError} `unavailable` when the queue is full or the item came or waited too long */
  submit(item: T): Promise<R>;
  /** Ends when nothing waits and nothing is being handed over. */
  idle(): Promise<void>;
}

interface Waiting<T, R> {
  item: T;
  refuseAt: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

const SWEEP_MS = 100;

const tooLate = () => unavailable('The service is too busy to take the lead now. Send it again.');

export function createGroupCommit<T, R>(options: GroupCommitOptions<T, R>): GroupCommit<T, R> {
  let queue: Waiting<T, R>[] = [];
  const onIdle: (() => void)[] = [];
  let inFlight = 0;
  let sweeper: NodeJS.Timeout | undefined;

  const pump = () => {
    while (inFlight < options.lanes && queue.length > 0) {
      inFlight += 1;
      void handOver(queue.splice(0, options.groupMax)).finally(() => {
        inFlight -= 1;
        pump();
        if (inFlight === 0 && queue.length === 0) onIdle.splice(0).forEach((resolve) => resolve());
      });
    }
  };

  const handOver = async (group: Waiting<T, R>[]) => {
    try {
      const results = await options.handOver(group.map(({ item }) => item));
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
        const message = 'Too many leads are waiting to be taken. Send this one again.';
        return Promise.reject(unavailable(message));
      }
      const refuseAt = options.refuseAt(item);
      if (refuseAt <= performance.now()) return Promise.reject(tooLate());
      return new Promise<R>((resolve, reject) => {
        queue.push({ item, refuseAt, resolve, reject });
        pump();
        if (queue.length > 0) sweeper ??= setInterval(sweep, SWEEP_MS).unref();
      });
    },
    idle() {
      if (inFlight === 0 && queue.length === 0) return Promise.resolve();
      return new Promise((resolve) => onIdle.push(resolve));
    },
  };
}
