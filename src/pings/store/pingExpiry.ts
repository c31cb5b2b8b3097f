/**
 * Pings that no lead has redeemed in time. A ping is marked with the batch it expires in, its event is written, then
 * the mark is removed: any process that finds a mark can write the event, even again, and no ping is in two events.
 */
import type { Document } from 'mongodb';
import type { EventCollections } from '../../events/store/collections.js';
import type { PingCollections } from './collections.js';
import type { EventDoc, PingEvent } from '../../events/store/eventDocs.js';
import type { PingDoc } from './pingDocs.js';

export type ExpiredPing = Pick<PingDoc, '_id' | 'org_id' | 'campaign_id' | 'supplier_id'> & {
  untold: string;
  expired_at: Date;
};

const EXPIRED_AT_ONCE = 1_000;

/** @param publishEvents publishes events that are stored now; repeated, it changes nothing */
export function createPingExpiryStore(
  { pings, events }: Pick<EventCollections & PingCollections, 'events' | 'pings'>,
  publishEvents: (events: readonly PingEvent[]) => Promise<void> = () => Promise.resolve(),
) {
  return {
    /**
     * Expires pings that are open at `until`, the oldest first, at most 1,000 of them.
     * @param batch a unique name
     * @returns the number found; a lead may have redeemed, or another process expired, some of them since
     */
    async mark(until: Date, now: Date, batch: string): Promise<number> {
      const due = await pings
        .find({ state: 'open', expires_at: { $lte: until } })
        .project<Pick<PingDoc, '_id'>>({ _id: 1 })
        .sort({ expires_at: 1 })
        .limit(EXPIRED_AT_ONCE)
        .toArray();
      if (due.length === 0) return 0;
      await pings.updateMany(
        { _id: { $in: due.map(({ _id }) => _id) }, state: 'open' },
        { $set: { state: 'expired', expired_at: now, untold: batch } },
      );
      return due.length;
    },
    /** Writes the events of pings marked by then, at most 1,000 pings. Returns the pings. */
    async publishMarked(markedBy: Date): Promise<ExpiredPing[]> {
      const untold = await pings
        .find({ untold: { $exists: true }, expired_at: { $lte: markedBy } })
        .project<ExpiredPing>({
          org_id: 1,
          campaign_id: 1,
          supplier_id: 1,
          untold: 1,
          expired_at: 1,
        })
        .sort({ expired_at: 1 })
        .limit(EXPIRED_AT_ONCE)
        .toArray();
      if (untold.length === 0) return [];
      await publishEvents(await writeEvents(events, untold));
      await pings.updateMany(
        { _id: { $in: untold.map(({ _id }) => _id) } },
        { $unset: { untold: 1 } },
      );
      return untold;
    },
  };
}

/**
 * Writes the events of these pings. A written event is never changed, because it may have been published already: pings
 * that are marked later, or that another relay did not see, get a further event of their batch.
 * @returns the events that contain these pings, each as it is stored
 */
async function writeEvents(
  events: EventCollections['events'],
  untold: readonly ExpiredPing[],
): Promise<PingEvent[]> {
  const written: PingEvent[] = [];
  let open = [...Map.groupBy(untold, nameOf)].map(([name, pings]) => ({ name, pings }));
  for (let n = 1; open.length > 0; n++) {
    const eventId = (name: string): string => (n === 1 ? name : `${name}_${String(n)}`);
    await events.bulkWrite(
      open.map(({ name, pings }) => ({
        updateOne: { filter: { _id: eventId(name) }, update: writeOnce(pings), upsert: true },
      })),
      { ordered: false },
    );
    const stored = await events
      .find({ _id: { $in: open.map(({ name }) => eventId(name)) } })
      .toArray();
    const byId = new Map(stored.filter(isPingEvent).map((event) => [event._id, event]));
    open = open.flatMap(({ name, pings }) => {
      const event = byId.get(eventId(name));
      const published = new Set(event?.data.ping_ids);
      const left = pings.filter(({ _id }) => !published.has(_id));
      if (event && left.length < pings.length) written.push(event);
      return left.length > 0 ? [{ name, pings: left }] : [];
    });
  }
  return written;
}

const isPingEvent = (event: EventDoc): event is PingEvent => event.type === 'ping.expired';

/** An event covers one campaign and supplier of a batch: this is the id of the first. */
const nameOf = ({ untold, campaign_id, supplier_id }: ExpiredPing): string =>
  `evt_${untold}_${campaign_id}_${supplier_id}`;

/** The whole event where there is none yet; otherwise it changes nothing. */
function writeOnce(group: readonly ExpiredPing[]): Document[] {
  const type: PingEvent['type'] = 'ping.expired';
  const [{ org_id, campaign_id, supplier_id, expired_at }] = group as [ExpiredPing];
  const ping_ids = group.map(({ _id }) => _id);
  const data = { campaign_id, supplier_id, count: ping_ids.length, ping_ids };
  const once = (field: string, value: unknown) => ({ $ifNull: [`$${field}`, value] });
  return [
    {
      $set: {
        org_id: once('org_id', { $literal: org_id }),
        type: once('type', type),
        created_at: once('created_at', expired_at),
        recorded_at: once('recorded_at', '$$NOW'),
        data: once('data', { $literal: data }),
      },
    },
  ];
}
