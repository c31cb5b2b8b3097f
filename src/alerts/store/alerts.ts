/**
 * Alerts: each condition is one document, so that of any number of processes one raises it, and one ends it. The event is
 * written with the change, and published from there: a process that dies in between leaves it to the next.
 */
import type { Collection, Document } from 'mongodb';
import type { AlertEvent } from '../../events/store/eventDocs.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import type { AlertDoc, AlertKind } from './alertDocs.js';
import { IS_OPEN } from './alertIndexes.js';

type AlertOf = Pick<AlertEvent, 'type' | 'data'>;

export interface Raised {
  id: string;
  org_id: string;
  kind: AlertKind;
  event: AlertOf;
  /** Absent: it is kept for ever. */
  kept_until?: Date;
}

export function createAlertStore(alerts: Collection<AlertDoc>) {
  return {
    get: (ids: readonly string[]): Promise<Map<string, AlertDoc>> => findByIds(alerts, ids),
    /** Those of a kind that are not over. */
    findOpen: (kind: AlertKind, limit: number): Promise<AlertDoc[]> =>
      alerts
        .find({ kind, ...IS_OPEN })
        .limit(limit)
        .toArray(),
    /**
     * True for the one call that raises it. It is not raised while it is open, nor where it was last raised after
     * `unlessSince`: a condition that comes and goes is told once in a while.
     */
    async raise(
      { id, org_id, kind, event, kept_until }: Raised,
      now: Date,
      unlessSince: Date,
    ): Promise<boolean> {
      const filter = { _id: id, open: { $ne: true }, since: { $not: { $gt: unlessSince } } };
      const change = { org_id: { $literal: org_id }, kind, open: true, since: now };
      const pipeline = [
        { $set: { ...change, ...(kept_until && { kept_until }) } },
        ...withEvent(id, event, now),
      ];
      try {
        const result = await alerts.updateOne(filter, pipeline, { upsert: true });
        return result.modifiedCount + result.upsertedCount > 0;
      } catch (error) {
        // The filter missed it, so the upsert met its id: it is open, or was raised lately.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** True for the one call that ends it. */
    async end(id: string, event: AlertOf, now: Date): Promise<boolean> {
      const pipeline = [{ $set: { open: false } }, ...withEvent(id, event, now)];
      const result = await alerts.updateOne({ _id: id, ...IS_OPEN }, pipeline);
      return result.modifiedCount > 0;
    },
    /** Those with events that are not published. */
    findUntold: (limit: number): Promise<AlertDoc[]> =>
      alerts
        .find({ 'untold.created_at': { $exists: true } })
        .limit(limit)
        .toArray(),
    /** These events are published. */
    async told(id: string, eventIds: readonly string[]): Promise<void> {
      await alerts.updateOne({ _id: id }, [
        {
          $set: {
            untold: {
              $filter: {
                input: { $ifNull: ['$untold', []] },
                cond: { $not: [{ $in: ['$$this._id', [...eventIds]] }] },
              },
            },
          },
        },
        { $set: { untold: { $cond: [{ $eq: ['$untold', []] }, '$$REMOVE', '$untold'] } } },
      ]);
    },
  };
}

/** Numbers an event and stores it where it is published from. */
const withEvent = (id: string, { type, data }: AlertOf, now: Date): Document[] => [
  { $set: { seq: { $add: [{ $ifNull: ['$seq', 0] }, 1] } } },
  {
    $set: {
      untold: {
        $concatArrays: [
          { $ifNull: ['$untold', []] },
          [
            {
              _id: { $concat: [`evt_${id.replaceAll(':', '-')}_`, { $toString: '$seq' }] },
              org_id: '$org_id',
              type: { $literal: type },
              created_at: now,
              data: { $literal: data },
            },
          ],
        ],
      },
    },
  },
];
