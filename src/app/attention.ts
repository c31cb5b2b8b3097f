/** How much waits for a person, for the readiness of every process: counts of the whole installation, no names. */
import { countDeadLettered } from '../automations/store/eventDeliveries.js';
import type { Attention } from '../api/schemas/health.js';
import { countOpenBreakers, countUnknown } from '../deliveries/store/stuckQueues.js';
import { raceTimeout } from '../lib/withTimeout.js';
import type { Deps } from './deps.js';

/** Each is counted up to this number. */
const COUNTED_MAX = 1_000;
/** Whoever asks, and however often: a process counts no more often than this, in milliseconds. */
const KEPT_MS = 10_000;
/** A count that takes longer is given up: it is information, and readiness must not wait for it. In milliseconds. */
const COUNT_MS = 1_000;

export type AttentionReader = () => Promise<Attention | undefined>;

/** Undefined where it cannot be counted now. Never rejects. */
export function createAttention({
  collections: { deliveries, destinations, eventDeliveries },
  clock,
}: Pick<Deps, 'collections' | 'clock'>): AttentionReader {
  let known: Attention | undefined;
  let countedAt = -Infinity;
  let counting: Promise<void> | null = null;
  const count = async (): Promise<void> => {
    countedAt = clock.monotonic();
    try {
      const [unknown_deliveries, open_breakers, dead_lettered_events] = await Promise.all([
        countUnknown(deliveries, COUNTED_MAX, COUNT_MS),
        countOpenBreakers(destinations, COUNTED_MAX, COUNT_MS),
        countDeadLettered(eventDeliveries, COUNTED_MAX, COUNT_MS),
      ]);
      known = { unknown_deliveries, open_breakers, dead_lettered_events, counted_to: COUNTED_MAX };
    } catch {
      known = undefined;
    } finally {
      counting = null;
    }
  };
  return async () => {
    if (clock.monotonic() - countedAt >= KEPT_MS) counting ??= count();
    if (counting) await raceTimeout(counting, COUNT_MS, () => undefined);
    return known;
  };
}
