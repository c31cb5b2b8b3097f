/** Waking destinations: rare by construction, because only the winner of a compare-and-set signals. */
import type { DestinationStore } from '../store/destinations.js';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import type { LeadStarter } from './starters.js';

export interface WakeDeps {
  destinations: DestinationStore;
  starter: LeadStarter;
  clock: Clock;
  log: Log;
}

/**
 * Starts the drains of these buyers, or ends the rest of a recovered one. The rows are stored already, so
 * a failure here loses nothing; it never throws.
 */
export async function wakeDestinations(
  buyerIds: readonly string[],
  orgId: string,
  recovered: boolean,
  { destinations, starter, clock, log }: WakeDeps,
): Promise<void> {
  await Promise.all(
    buyerIds.map(async (buyerId) => {
      try {
        const won = await destinations.wake(buyerId, orgId, clock.now());
        if (won || recovered) await starter.wake(buyerId, orgId, recovered);
      } catch (error) {
        log.warn(
          { err: error, buyer_id: buyerId },
          'a drain could not be started; it is tried again',
        );
        // The next producer, or reconcile, may try.
        await destinations.sleep(buyerId).catch(() => undefined);
      }
    }),
  );
}
