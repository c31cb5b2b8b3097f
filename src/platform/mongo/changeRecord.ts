/**
 * Changes of a record that are made from what it says now: settings inside settings, of which a caller gives some. Two
 * such changes at once would each write the rest as it read it, and the later one undo the earlier.
 */
import type { Collection, Filter, MatchKeysAndValues } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { retryOnConflict } from '../../lib/retry.js';

const CONFLICT = 'It was changed at the same time. Read it again.';

/**
 * Selects the record only while the nested settings that a change replaces are still those that it was made from. A
 * plain value, such as a name, is not made from the earlier one: the last caller's stays.
 * @param current the record as it was read
 */
function asRead<T extends object>(current: T, set: Partial<T>): Filter<T> {
  const nested = (Object.keys(set) as (keyof T & string)[]).filter(
    (key) => isNested(set[key]) || isNested(current[key]),
  );
  // Null also selects a record that has no such settings yet.
  const seen = nested.map((key) => [key, { $eq: current[key] ?? null }]);
  return Object.fromEntries(seen) as Filter<T>;
}

const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

interface Change<T> {
  /** @throws {AppError} where there is no such record; called again after each conflict */
  read: () => Promise<T>;
  /** The values to set, made from the record as it was read; called again after each conflict. */
  set: (current: T) => Partial<T> | Promise<Partial<T>>;
  /** Values that are set in addition, and do not depend on the record. */
  marks?: Partial<T>;
  /** What else the record must be when it is written. */
  where?: Filter<T>;
}

/**
 * Makes the change, and makes it anew as long as another caller has changed the same nested settings first: of changes
 * at once, whatever they are, none is lost.
 * @returns the record as it is now
 * @throws {AppError} `version_conflict` when other callers were faster every time; what `read` and `set` throw
 */
export const changeRecord = <T extends { _id: string }, R extends T = T>(
  records: Collection<T>,
  { read, set, marks, where }: Change<R>,
): Promise<R> =>
  retryOnConflict(async () => {
    const current = await read();
    const values = await set(current);
    const selected: object = { ...where, _id: current._id, ...asRead(current, values) };
    const $set = { ...values, ...marks } as unknown as MatchKeysAndValues<T>;
    if (Object.keys($set).length === 0) return current;
    const changed = await records.findOneAndUpdate(selected, { $set }, { returnDocument: 'after' });
    if (!changed) throw new AppError('version_conflict', CONFLICT);
    return changed as unknown as R;
  });
