/** What buyers said, written into delivery rows. */
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { groupUpdates } from '../../platform/mongo/groupUpdates.js';
import { lateChange } from './lateChange.js';

/** What a run learnt about one of its rows. */
export interface RowResult {
  id: string;
  state: DeliveryState;
  set?: Partial<DeliveryDoc>;
}

/** Each row gets what its buyer said, while it is open. A yes is still heard where the row waits to be sent again. */
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
