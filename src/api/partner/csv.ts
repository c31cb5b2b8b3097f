/** What the files of both sides share: rows in batches, columns, and flags of a query. */
import { z } from 'zod';
import type { Found, Wanted } from '../../platform/mongo/pages.js';
import type { Cell } from './call.js';

const BATCH_ROWS = 500;

/** The cells of each batch; it is read after the client has taken the one before. */
export async function* batchesOf<T>(
  read: (wanted: Wanted) => Promise<Found<T>>,
  cells: (found: T[]) => Promise<Cell[][]>,
): AsyncGenerator<Cell[][]> {
  let after: Wanted['after'] = null;
  do {
    const { docs, next } = await read({ after, limit: BATCH_ROWS });
    yield await cells(docs);
    after = next;
  } while (after);
}

/** The columns of a file, by the names in its head. */
export type Columns<T> = Record<string, (row: T) => Cell>;

export const cellsOf = <T>(row: T, columns: Columns<T>): Cell[] =>
  Object.values(columns).map((of) => of(row));

/** `is_test` of a query. */
export const TestFlag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');
