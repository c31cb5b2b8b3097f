/** The one way in which tests wait: they poll, and on a timeout report the last result. */
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

export interface WaitOptions {
  /** Default 20 s. */
  timeoutMs?: number;
  /** Milliseconds between two polls, default 25. The first polls follow each other sooner. */
  intervalMs?: number;
  /** What the caller waits for, in plain words; default: the source text of the condition. */
  message?: string;
}

/** Milliseconds between the first two polls; each later wait is half as long again. */
const FIRST_INTERVAL_MS = 2;

type Falsy = false | 0 | '' | null | undefined;

/**
 * Polls until `condition` returns something truthy, and returns that. A condition that throws does not hold yet: it may
 * assert, so that the error of the assertion shows the last result.
 * @throws {Error} when it does not hold within `timeoutMs`: with the message, and what the condition last returned or
 *   threw (also as the `cause`)
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 20_000, intervalMs = 25, message = String(condition) }: WaitOptions = {},
): Promise<Exclude<T, Falsy>> {
  const deadline = performance.now() + timeoutMs;
  for (let waitMs = FIRST_INTERVAL_MS; ; waitMs *= 1.5) {
    const seen = await look(condition);
    if (!('error' in seen) && seen.value) return seen.value as Exclude<T, Falsy>;
    if (performance.now() > deadline) throw notInTime(message, timeoutMs, seen);
    await delay(Math.min(waitMs, intervalMs));
  }
}

type Seen<T> = { value: T } | { error: unknown };

async function look<T>(condition: () => T | Promise<T>): Promise<Seen<T>> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

function notInTime(message: string, timeoutMs: number, seen: Seen<unknown>): Error {
  const waited = `Not within ${timeoutMs} ms: ${message}`;
  if (!('error' in seen)) return new Error(`${waited}\nLast seen: ${inspect(seen.value)}`);
  const { error } = seen;
  const told = error instanceof Error ? error.message : inspect(error);
  return new Error(`${waited}\nLast error: ${told}`, { cause: error });
}
