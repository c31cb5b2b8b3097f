import { setTimeout as delay } from 'node:timers/promises';
import type { SellingDeps } from './deps.js';

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Repeats a step that stores what is not sent twice, such as a buyer's answer: it must not be lost while the database is
 * unavailable. The step must be repeatable. Rejects with the last error after a minute: then the row of an answer stays
 * `sending`, and the lead is settled as unknown.
 */
export async function retryWhileUnavailable<T>(
  step: () => Promise<T>,
  { clock, log }: Pick<SellingDeps, 'clock' | 'log'>,
): Promise<T> {
  const retryUntilMs = clock.monotonic() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (clock.monotonic() > retryUntilMs) throw error;
      log.warn({ err: error }, 'a result could not be stored yet; trying again');
      await delay(PAUSE_MS);
    }
  }
}
