/** Events whose writer died before it had moved them to the outbox, or relayed them from there. */
import type { EventStore } from '../../deliveries/store/destinationEvents.js';
import type { Clock } from '../../lib/clock.js';
import { relayLeads, type PublishDeps } from '../publishEvents.js';

export interface EventDeps {
  clock: Clock;
  events: EventStore;
}

/** A writer moves and relays its events at once: one older than this, in milliseconds, has lost its writer. */
const LEFT_MS = 10_000;
const DESTINATIONS_PER_RUN = 1_000;
const BATCH_SIZE = 500;
const LEADS_PER_RUN = 5_000;

/** Relays events of leads. Returns their number. */
export async function relayOutbox(deps: PublishDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - LEFT_MS);
  let relayed = 0;
  for (let leads = 0; leads < LEADS_PER_RUN; leads += BATCH_SIZE) {
    const options = { projection: { _id: 1 }, limit: BATCH_SIZE } as const;
    const left = await deps.collections.leads
      .find({ 'untold.at': { $lt: before } }, options)
      .map(({ _id }) => _id)
      .toArray();
    if (left.length > 0) relayed += await relayLeads(left, deps);
    if (left.length < BATCH_SIZE) break;
  }
  return relayed;
}

/** Moves events of destinations to the outbox. Returns their number. */
export async function moveEvents({ events, clock }: EventDeps): Promise<number> {
  const before = new Date(Number(clock.now()) - LEFT_MS);
  let moved = 0;
  for (const buyerId of await events.stuck(before, DESTINATIONS_PER_RUN))
    moved += await events.flush(buyerId);
  return moved;
}
