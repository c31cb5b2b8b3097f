/** Wakes destinations. Signals are rare by construction, because only the winner of a compare-and-set sends one. */
import type { DestinationDoc } from '../store/destinationDoc.js';
import type { DestinationStore } from '../store/destinations.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';

/** Starts the drains of destinations. */
export interface DestinationStarter {
  /**
   * Wakes a destination's drain, starting it where none runs.
   * @param kind `endpoint`: the id is an automation's; absent: a buyer's
   */
  wake(id: string, orgId: string, recovered: boolean, kind?: 'endpoint'): Promise<void>;
}

export interface WakeDeps {
  destinations: DestinationStore;
  starter: DestinationStarter;
  clock: Clock;
  log: Log;
}

export interface Waking {
  orgId: string;
  /** The buyers have just recovered: a cooldown ends. */
  recovered?: boolean;
  /** As for `DestinationStarter.wake`. */
  kind?: 'endpoint';
}

/**
 * Starts the drains of these buyers, or ends the cooldown of a recovered one. The rows are stored already, so
 * a failure here loses nothing; it never throws.
 */
export async function wakeDestinations(
  buyerIds: readonly string[],
  { orgId, recovered = false, kind }: Waking,
  { destinations, starter, clock, log }: WakeDeps,
): Promise<void> {
  await Promise.all(
    buyerIds.map(async (buyerId) => {
      try {
        const won = await destinations.wake(buyerId, orgId, clock.now());
        if (won || recovered) await starter.wake(buyerId, orgId, recovered, kind);
      } catch (error) {
        log.warn(
          { err: error, [kind ? 'automation_id' : 'buyer_id']: buyerId },
          'a drain could not be started; it is tried again',
        );
        // The next producer, or `reconcile`, may try.
        await destinations.sleep(buyerId).catch(() => undefined);
      }
    }),
  );
}

/**
 * The same for automations with events that wait. Such calls are frequent, and mostly concern a drain that is awake:
 * one read finds the others, and only those are woken. It never throws.
 */
export async function wakeAutomations(
  automationIds: readonly string[],
  orgId: string,
  deps: WakeDeps,
): Promise<void> {
  // If the read fails, each automation is woken, which does no harm.
  const known = await deps.destinations
    .get(automationIds)
    .catch(() => new Map<string, DestinationDoc>());
  const asleep = automationIds.filter((id) => known.get(id)?.awake !== true);
  await wakeDestinations(asleep, { orgId, kind: 'endpoint' }, deps);
}
