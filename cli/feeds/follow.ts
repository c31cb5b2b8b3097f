/** Follows a feed until it is stopped, through temporary failures. */
import { setTimeout as delay } from 'node:timers/promises';
import { Refused, Unreachable } from '../client/client.js';

/** Returns new items at each call. After an error it may be called again, and nothing is lost. */
export interface Feed<T> {
  next(): Promise<T>;
}

export interface FollowOptions<T> {
  signal: AbortSignal;
  show: (batch: T) => unknown;
  /** Called once when the server becomes unreachable, and once when it is back. */
  say: (text: string) => void;
  /** Time between two polls, in milliseconds. */
  everyMs?: number;
}

/** 30 calls a minute, of the 120 that a key has. */
export const POLL_INTERVAL_MS = 2_000;
const WAIT_MAX_MS = 30_000;

/**
 * Resolves when the signal is aborted.
 * @throws {Refused | Unreachable} permanent errors; at the first poll, any error
 */
export async function follow<T>(feed: Feed<T>, options: FollowOptions<T>): Promise<void> {
  const { signal, show, say, everyMs = POLL_INTERVAL_MS } = options;
  let faults = 0;
  for (let looks = 0; !signal.aborted; looks += 1) {
    try {
      await show(await feed.next());
      if (faults > 0) say('The server is back.');
      faults = 0;
    } catch (error) {
      // An aborted call throws, too; the caller that aborted it knows.
      if (looks === 0 || !passes(error)) throw error;
      if (faults === 0) say(`${messageOf(error)} Trying again. Ctrl-C ends it.`);
      faults += 1;
    }
    const wait = faults === 0 ? everyMs : Math.min(WAIT_MAX_MS, everyMs * 2 ** faults);
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether the error may pass in a moment. */
function passes(error: unknown): boolean {
  if (error instanceof Unreachable) return error.reason !== 'redirect';
  return error instanceof Refused && (error.status >= 500 || error.status === 429);
}

const messageOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith('.') ? text : `${text}.`;
};
