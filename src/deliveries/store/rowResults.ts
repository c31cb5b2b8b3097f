/** Changes of delivery rows: buyers' answers, and marks of changes that come late. */
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';

/** The result of one row of a run. */
export interface RowResult {
  id: string;
  state: DeliveryState;
  set?: Partial<DeliveryDoc>;
}

/** Writes its buyer's answer to each open row. An acceptance is still recorded where the row waits to be sent again. */
export const settling = (
  results: readonly RowResult[],
  owner: Filter<DeliveryDoc>,
  now: Date,
): AnyBulkWriteOperation<DeliveryDoc>[] =>
  groupUpdates<DeliveryDoc, RowResult>(
    results,
    ({ id, state, set }) => ({ id, values: { ...set, state, settled_at: now } }),
    ({ state }) => (state === 'accepted' ? 'taken' : ''),
    ({ state }) => {
      const open: DeliveryState[] =
        state === 'accepted' ? ['sending', 'unknown', 'parked'] : ['sending', 'unknown'];
      return {
        filter: { ...owner, state: { $in: open } },
        stages: [{ $replaceWith: { $mergeObjects: ['$$ROOT', '$own', lateChange('$own.state')] } }],
      };
    },
  );

/**
 * A state change of a row older than this (in milliseconds) is marked as late, because the totals of its day may already
 * be stored. Totals are stored an hour after the day ends at the earliest; the margin allows for clock skew.
 */
const LATE_MS = 1_800_000;

/**
 * What a late change of the state adds to its row, in the same update: the mark, and the number of the change. It uses
 * MongoDB's clock, since a process may be stopped between reading its clock and the write.
 * @param state an expression for the new state
 */
const lateChange = (state: string | Document): Document => ({
  $cond: [
    {
      $and: [
        { $ne: ['$state', state] },
        { $lt: ['$created_at', { $subtract: ['$$NOW', LATE_MS] }] },
      ],
    },
    { uncounted: true, changes: { $add: [{ $ifNull: ['$changes', 0] }, 1] } },
    {},
  ],
});

/** An update that sets these values, and marks late changes. */
export const changing = (set: Partial<DeliveryDoc> & { state: DeliveryState }): Document[] => [
  {
    $replaceWith: {
      $mergeObjects: ['$$ROOT', { $literal: set }, lateChange({ $literal: set.state })],
    },
  },
];
