/** The outbox: events that were written with the change they report, moved to the collection that readers use. */
import type { Collection } from 'mongodb';
import { insertNew } from '../../platform/mongo/insertNew.js';
import type { DestinationDoc } from './destinationDoc.js';
import type { BuyerEvent, EventDoc } from '../../events/store/eventDocs.js';

export type EventStore = ReturnType<typeof createEventStore>;

/** @param publishEvents publishes events that are stored now; repeated, it changes nothing */
export function createEventStore(
  events: Collection<EventDoc>,
  destinations: Collection<DestinationDoc>,
  publishEvents: (events: readonly BuyerEvent[]) => Promise<void> = () => Promise.resolve(),
) {
  return {
    /** Moves a destination's events into the outbox. Repeating it changes nothing. Returns their number. */
    async flush(buyerId: string): Promise<number> {
      const found = await destinations.findOne({ _id: buyerId }, { projection: { events: 1 } });
      const written = found?.events ?? [];
      if (written.length === 0) return 0;
      const recorded_at = new Date();
      await insertNew(
        events,
        written.map((event) => ({ ...event, recorded_at })),
      );
      await publishEvents(written);
      const ids = written.map(({ _id }) => _id);
      await destinations.updateOne({ _id: buyerId }, { $pull: { events: { _id: { $in: ids } } } });
      return written.length;
    },
    /** Destinations with events that were written before then and are still not in the outbox. */
    async stuck(before: Date, limit: number): Promise<string[]> {
      const found = await destinations
        .find({ 'events.created_at': { $lt: before } }, { projection: { _id: 1 } })
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
  };
}
