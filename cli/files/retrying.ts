/** Calls that may be repeated: they outlast a server that is restarted. */
import { setTimeout as delay } from 'node:timers/promises';
import { Refused, Unreachable } from '../client/client.js';

export interface Patience {
  signal: AbortSignal;
  say: (text: string) => void;
  /** Milliseconds without an answer after which it is given up. */
  withinMs?: number;
}

const WITHIN_MS = 120_000;
const PAUSE_MS = 500;
const PAUSE_MAX_MS = 5_000;
/** Nothing was done, or the same call again shows what was done. */
const PASSING: readonly string[] = [
  'unavailable',
  'outcome_unknown',
  'request_timeout',
  'internal',
  'rate_limited',
];
/** An address that is wrong stays so. */
const LASTING: readonly string[] = ['foreign', 'redirect', 'ENOTFOUND'];

/**
 * Repeats a call, which must be idempotent, until it is answered.
 * @throws {Refused | Unreachable} a refusal that stays, or the last failure
 */
export async function persist<T>(
  call: () => Promise<T>,
  { signal, say, withinMs = WITHIN_MS }: Patience,
): Promise<T> {
  const until = performance.now() + withinMs;
  for (let pause = PAUSE_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
    try {
      return await call();
    } catch (error) {
      const wait = waitOf(error, pause);
      if (wait === null || performance.now() + wait > until) throw error;
      if (pause === PAUSE_MS) say(`${reasonOf(error)} Trying again …`);
      await delay(wait, undefined, { signal });
    }
  }
}

function waitOf(error: unknown, pause: number): number | null {
  if (error instanceof Unreachable) return LASTING.includes(error.reason) ? null : pause;
  if (!(error instanceof Refused) || !PASSING.includes(error.body.error)) return null;
  return Math.max(pause, (error.body.retry_after ?? 0) * 1_000);
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\.?$/, '.') : 'There was no answer.';
