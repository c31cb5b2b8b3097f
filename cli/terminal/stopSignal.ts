/** Ctrl-C and SIGTERM: the first requests an orderly stop, a later one stops waiting for it. */
import { constants } from 'node:os';
import type { Terminal } from './terminal.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One Ctrl-C may arrive twice: from the terminal, and forwarded by npm. */
const SAME_MS = 1_000;

export interface StopSignal {
  /** Resolves at the first signal, or when `stop` is called. */
  readonly requested: Promise<void>;
  readonly isRequested: () => boolean;
  /** Requests the stop from within the process. */
  stop(): void;
  /** The signals have their usual meaning again. */
  release(): void;
}

/**
 * Signals within a second of the first count as that one.
 * @param now milliseconds of a monotonic clock
 */
export function listenForStop(
  { host, say }: Pick<Terminal, 'host' | 'say'>,
  now: () => number,
): StopSignal {
  let firstAt: number | null = null;
  let isRequested = false;
  const requested = Promise.withResolvers<undefined>();
  const stop = () => {
    isRequested = true;
    requested.resolve(undefined);
  };
  const listener = (signal: NodeJS.Signals) => {
    if (firstAt === null) {
      firstAt = now();
      say('Stopping. A second signal stops at once.');
      stop();
    } else if (now() - firstAt > SAME_MS) {
      host.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of SIGNALS) host.on(signal, listener);
  return {
    requested: requested.promise,
    isRequested: () => isRequested,
    stop,
    release: () => {
      for (const signal of SIGNALS) host.off(signal, listener);
    },
  };
}
