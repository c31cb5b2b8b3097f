/**
 * Many documents changed by one statement, each by values of its own. A statement for each costs MongoDB two to three
 * times as much (0.37 for 0.16 ms of a sale, 0.18 for 0.06 of a delivery row): most of it is not the change itself.
 * A connection that is lost in between leaves some changed, and the driver does not repeat it: the filter must be such
 * that the caller can.
 */
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import { chunks } from '../../lib/chunks.js';

/** Each document looks its values up in a list, which must not be long; a group of leads fits. */
const UPDATES_MAX = 128;

/** One document's change; `values` may be anything that BSON can hold, and are never read as expressions. */
export interface OwnChange {
  id: string;
  values: Document;
}

/**
 * Statements for the changes that are alike.
 * @param likeness the same for changes that one statement can make; two changes of one document must not be alike
 * @param statement filter and stages; the values are in the field `own` of each document while the stages run
 */
export function groupUpdates<Doc extends { _id: string }, Change>(
  changes: readonly Change[],
  changeOf: (change: Change) => OwnChange,
  likeness: (change: Change) => string,
  statement: (first: Change) => { filter: Document; stages: Document[] },
): AnyBulkWriteOperation<Doc>[] {
  return [...Map.groupBy(changes, likeness).values()].flatMap((alike) =>
    chunks(alike, UPDATES_MAX).flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const { filter, stages } = statement(first);
      const own = group.map(changeOf);
      const ids = own.map(({ id }) => id);
      const values = own.map((one) => one.values);
      const place = { $indexOfArray: [{ $literal: ids }, '$_id'] };
      const update = [
        { $set: { own: { $arrayElemAt: [{ $literal: values }, place] } } },
        ...stages,
        { $unset: 'own' },
      ];
      return [{ updateMany: { filter: { ...filter, _id: { $in: ids } } as Filter<Doc>, update } }];
    }),
  );
}
