/**
 * Pings that nobody has redeemed in time. A ping is marked with the batch it expires in, its event is written, and
 * then the mark is taken away: whoever finds a mark can write the event, again too, and nothing is told twice.
 */
import type { Document } from 'mongodb';
import type { Collections, PingDoc } from './collections.js';
import type { PingEvent } from './operatorDocs.js';

export type Untold = Pick<PingDoc, '_id' | 'org_id' | 'campaign_id' | 'supplier_id'> & {
  untold: string;
  expired_at: Date;
};

export interface PingExpiryStore {
  /**
   * Has pings expire that are open at `until`, the oldest first, at most 1,000 of them.
   * @param batch a name nobody else uses
   * @returns how many were found; some of them may have been redeemed, or expired by somebody else, since
   */
  mark(until: Date, now: Date, batch: string): Promise<number>;
  /** Writes the events of pings marked by then, at most 1,000 pings. Returns them. */
  tell(markedBy: Date): Promise<Untold[]>;
}

const EXPIRED_AT_ONCE = 1_000;

/** @param announce tells of events that are stored now; repeated, it changes nothing */
export function pingExpiryStore(
  { pings, events }: Pick<Collections, 'pings' | 'events'>,
  announce: (events: readonly PingEvent[]) => Promise<void> = () => Promise.resolve(),
): PingExpiryStore {
  return {
    async mark(until, now, batch) {
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
    async tell(markedBy) {
      const untold = await pings
        .find({ untold: { $exists: true }, expired_at: { $lte: markedBy } })
        .project<Untold>({ org_id: 1, campaign_id: 1, supplier_id: 1, untold: 1, expired_at: 1 })
        .sort({ expired_at: 1 })
        .limit(EXPIRED_AT_ONCE)
        .toArray();
      if (untold.length === 0) return [];
      const groups = [...Map.groupBy(untold, eventId)];
      await events.bulkWrite(
        groups.map(([_id, group]) => ({
          updateOne: { filter: { _id }, update: addTo(group), upsert: true },
        })),
        { ordered: false },
      );
      await announce(groups.map(([_id, group]) => eventOf(_id, group)));
      await pings.updateMany(
        { _id: { $in: untold.map(({ _id }) => _id) } },
        { $unset: { untold: 1 } },
      );
      return untold;
    },
  };
}

/** One event for each campaign and supplier of a batch. */
const eventId = ({ untold, campaign_id, supplier_id }: Untold): string =>
  `evt_${untold}_${campaign_id}_${supplier_id}`;

/** The event as far as it is known here: pings of its batch may be added to it still. */
function eventOf(_id: string, group: readonly Untold[]): PingEvent {
  const [{ org_id, campaign_id, supplier_id, expired_at }] = group as [Untold];
  const ping_ids = group.map((ping) => ping._id);
  const data = { campaign_id, supplier_id, count: ping_ids.length, ping_ids };
  return { _id, org_id, type: 'ping.expired', created_at: expired_at, data };
}

/** Adds pings to their event. It may have some already: marking a batch can still go on when its telling begins. */
function addTo(group: readonly Untold[]): Document[] {
  const type: PingEvent['type'] = 'ping.expired';
  const [{ org_id, campaign_id, supplier_id, expired_at }] = group as [Untold];
  const known = { $ifNull: ['$data.ping_ids', []] };
  return [
    {
      $set: {
        org_id: { $literal: org_id },
        type,
        created_at: { $ifNull: ['$created_at', expired_at] },
        recorded_at: { $ifNull: ['$recorded_at', '$$NOW'] },
        'data.campaign_id': { $literal: campaign_id },
        'data.supplier_id': { $literal: supplier_id },
        'data.ping_ids': { $setUnion: [known, { $literal: group.map(({ _id }) => _id) }] },
      },
    },
    { $set: { 'data.count': { $size: '$data.ping_ids' } } },
  ];
}
