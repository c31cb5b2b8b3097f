import { MongoBulkWriteError } from 'mongodb';
import { DUPLICATE_KEY } from './databaseErrors.js';

/**
 * The items of an unordered insert that met a duplicate key. Those documents and the others are stored durably.
 * @throws the error itself when anything else went wrong, and when the majority did not confirm the write: then the driver
 * names no failures of single items
 */
export function failedInserts<T>(error: unknown, items: readonly T[]): T[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.length === 0 || failures.some((failure) => failure.code !== DUPLICATE_KEY))
    throw error;
  return failures.map((failure) => {
    const item = items[failure.index];
    if (item === undefined) throw error;
    return item;
  });
}
