/** Follows a feed until it is stopped, through what is wrong for a while. */
import { setTimeout as delay } from 'node:timers/promises';
import { Refused, Unreachable } from '../client/client.js';

/** What is new, each time it is asked. After an error it may be asked again, and nothing is lost. */
export interface Feed<T> {
  next(): Promise<T>;
}

export interface FollowOptions<T> {
  signal: AbortSignal;
  show: (batch: T) => unknown;
  /** Told once when the server is away, and once when it is back. */
  say: (text: string) => void;
  /** Between two looks, in milliseconds. */
  everyMs?: number;
}

/** 30 calls a minute, of the 120 that a key has. */
export const POLL_INTERVAL_MS = 2_000;
const WAIT_MAX_MS = 30_000;

/**
 * Settles when the signal says so.
 * @throws {Refused | Unreachable} what does not pass by itself; at the first look, anything
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
      // What the signal has cut off is thrown, too: whoever gave the signal knows.
      if (looks === 0 || !passes(error)) throw error;
      if (faults === 0) say(`${messageOf(error)} Trying again. Ctrl-C ends it.`);
      faults += 1;
    }
    const wait = faults === 0 ? everyMs : Math.min(WAIT_MAX_MS, everyMs * 2 ** faults);
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** Whether it may have recovered in a moment. */
function passes(error: unknown): boolean {
  if (error instanceof Unreachable) return error.reason !== 'redirect';
  return error instanceof Refused && (error.status >= 500 || error.status === 429);
}

const messageOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.endsWith('.') ? text : `${text}.`;
};
