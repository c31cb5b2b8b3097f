/** Entries of suppression lists as they are stored. */
import { createHash } from 'node:crypto';
import { keyring } from '../values.js';
import type { Collections } from '../../../src/app/database.js';

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The stored form of the organization's entry: its MD5, hashed with the secret. */
export const hashed = (orgId: string, text: string): string =>
  keyring.entryHashes(`${orgId}:${md5(text)}`)[0];

/** The stored entries of a list, without ids and the mark of the form, in order. */
export async function storedOf(
  { suppressions }: Pick<Collections, 'suppressions'>,
  listId: string,
): Promise<string[]> {
  const rows = await suppressions.find({ _id: { $regex: `^${listId}[:;]` } }).toArray();
  return rows.map(({ _id }) => _id.slice(listId.length + 1)).sort();
}

/** The form that the previous release stored: plain MD5s. */
export async function asBefore(
  { suppressions, suppressionLists }: Pick<Collections, 'suppressions' | 'suppressionLists'>,
  listId: string,
  texts: readonly string[],
): Promise<void> {
  await suppressions.insertMany(texts.map((text) => ({ _id: `${listId}:${md5(text)}` })));
  await suppressionLists.updateOne({ _id: listId }, { $inc: { entries: texts.length } });
}
