/** Events whose writer died before it had moved them to the outbox. */
import type { EventStore } from '../../deliveries/store/destinationEvents.js';
import type { SellingDeps } from '../../distribution/deps.js';

export interface EventDeps extends Pick<SellingDeps, 'clock'> {
  events: EventStore;
}

/** The process that writes an event moves it at once: an event older than this, in milliseconds, was abandoned. */
const LEFT_MS = 10_000;
const DESTINATIONS_PER_RUN = 1_000;

/** Moves them. Returns their number. */
export async function moveEvents({ events, clock }: EventDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - LEFT_MS);
  let moved = 0;
  for (const buyerId of await events.stuck(before, DESTINATIONS_PER_RUN))
    moved += await events.flush(buyerId);
  return moved;
}
