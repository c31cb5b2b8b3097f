/** Keys that no database can hold: an input is kept in the record of changes, free maps in the account. */
import type { InputFault } from '../../lib/errors.js';

/** Every object that has a key with NUL (U+0000) in it, at any depth. */
export function unkeepableKeys(value: unknown, path: readonly string[] = []): InputFault[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const inside = entries.flatMap(([key, inner]) => unkeepableKeys(inner, [...path, key]));
  if (!entries.some(([key]) => key.includes('\0'))) return inside;
  const at = path.join('.');
  const message = `${at === '' ? 'The input' : at} has a key that contains NUL (U+0000); remove it.`;
  return [{ path: at, code: 'not_allowed', message }, ...inside];
}
