/** Replaces sealed values in stored records by the same values, sealed as they are today. */
import type { Collection } from 'mongodb';
import type { Keyring } from '../security/seal.js';
import type { SealedPlace, SealedValue } from '../security/sealedValue.js';

export interface SealedChange {
  path: string;
  from: unknown;
  to: unknown;
}

/**
 * The change of one value; empty where there is none to make. A value that cannot be opened stays as it is: who uses it,
 * learns why.
 */
export function sealed(
  path: string,
  value: SealedValue | undefined,
  place: SealedPlace,
  keyring: Pick<Keyring, 'reseal'>,
): SealedChange[] {
  if (value === undefined) return [];
  const to = resealed(value, place, keyring);
  return to === value ? [] : [{ path, from: value, to }];
}

export function resealed(
  value: SealedValue,
  place: SealedPlace,
  keyring: Pick<Keyring, 'reseal'>,
): SealedValue {
  try {
    return keyring.reseal(value, place);
  } catch {
    return value;
  }
}

/** Writes the changes unless one of the values has changed meanwhile. Returns 1 where it has, else 0. */
export async function replaceSealed<T extends { _id: string }>(
  records: Collection<T>,
  _id: string,
  changes: readonly SealedChange[],
): Promise<number> {
  if (changes.length === 0) return 0;
  const seen: [string, unknown][] = changes.map(({ path, from }) => [path, { $eq: from }]);
  const sealedNow: [string, unknown][] = changes.map(({ path, to }) => [path, to]);
  const filter: object = { _id, ...Object.fromEntries(seen) };
  const update: object = { $set: Object.fromEntries(sealedNow) };
  const { modifiedCount } = await records.updateOne(filter, update);
  return modifiedCount;
}
