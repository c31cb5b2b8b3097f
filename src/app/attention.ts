/** How much waits for a person, for the readiness of every process: counts of the whole installation, no names. */
import { countDeadLettered } from '../automations/store/eventDeliveries.js';
import type { Attention } from '../api/schemas/health.js';
import { countUnknowns } from '../deliveries/store/attention.js';
import { countOpenBreakers } from '../deliveries/store/stuckQueues.js';
import { raceTimeout } from '../lib/withTimeout.js';
import type { Deps } from './deps.js';

/** Each is counted up to this number. */
const COUNTED_MAX = 1_000;
/** Whoever asks, and however often: a process counts no more often than this, in milliseconds. */
const KEPT_MS = 10_000;
/** Readiness waits no longer than this for the counts, in milliseconds: they are information. */
const WAIT_MS = 1_000;

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
        countUnknowns(deliveries, null, COUNTED_MAX),
        countOpenBreakers(destinations, COUNTED_MAX),
        countDeadLettered(eventDeliveries, COUNTED_MAX),
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
    if (counting) await raceTimeout(counting, WAIT_MS, () => undefined);
    return known;
  };
}
