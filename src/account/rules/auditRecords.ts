/** Which records a call concerned: the ids in its input and its result, by which the record of changes is searched. */

/** Ids of this service; what callers name themselves, such as a click id, may identify a person. */
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:per|mem|ses|inv)_[0-9a-f]{24})$/;
const KEY = /(?:^|_)ids?$/;
const RECORDS_MAX = 50;
/** Deeper, results are lists of other records. */
const DEPTH_MAX = 2;

/** @returns each id once, in the order of the values; at most 50 */
export function recordsIn(...values: readonly unknown[]): string[] {
  const found = values.flatMap((value) => idsIn(value, 0));
  return [...new Set(found)].slice(0, RECORDS_MAX);
}

function idsIn(value: unknown, depth: number): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth >= DEPTH_MAX)
    return [];
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    KEY.test(key) ? [one].flat().filter(isId) : idsIn(one, depth + 1),
  );
}

const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
