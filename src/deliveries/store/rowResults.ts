/** Writes buyers' answers into delivery rows. */
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import { lateChange } from './lateChange.js';

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
