/** Changes of rows that are so old that the sums of their day may be stored already. */
import type { Document } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';

/**
 * Minimum age in milliseconds of a row whose change is marked. The sums of a day are stored an hour after its end at
 * the earliest: the difference allows for clocks that differ.
 */
const LATE_MS = 1_800_000;

/**
 * What a late change of the state adds to its row, in the same update: the mark, and the number of the change. It uses
 * MongoDB's clock, since a process may have been stopped between its own and the write.
 * @param state an expression for the new state
 */
export const lateChange = (state: string | Document): Document => ({
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
