import type { SellingDeps } from './deps.js';

const RETRY_FOR_MS = 60_000;
const PAUSE_MS = 250;

/**
 * Repeats a step that stores what nobody says again, such as a buyer's answer: a database that is unavailable for a while
 * must not lose it. The step must be repeatable. Rejects with the last error after a minute: then the row of an answer
 * stays `sending`, and the lead is settled as unknown.
 */
export async function retryWhileUnavailable<T>(
  step: () => Promise<T>,
  { clock, log }: Pick<SellingDeps, 'clock' | 'log'>,
): Promise<T> {
  const giveUpAt = clock.monotonic() + RETRY_FOR_MS;
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (clock.monotonic() > giveUpAt) throw error;
      log.warn({ err: error }, 'a result could not be stored yet; trying again');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
