/** Entries of suppression lists as they rest. */
import { createHash } from 'node:crypto';
import { keyring } from '../database.js';
import type { Collections } from '../../../src/app/database.js';

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** What an entry of the organization rests as: its MD5, hashed with the secret. */
export const hashed = (orgId: string, text: string): string =>
  keyring.entryHashes(`${orgId}:${md5(text)}`)[0];

/** What is stored of a list, without its id and the mark of the form, in its order. */
export async function storedOf(
  { suppressions }: Pick<Collections, 'suppressions'>,
  listId: string,
): Promise<string[]> {
  const rows = await suppressions.find({ _id: { $regex: `^${listId}[:;]` } }).toArray();
  return rows.map(({ _id }) => _id.slice(listId.length + 1)).sort();
}

/** What the release before would have stored: MD5s, as they are. */
export async function asBefore(
  { suppressions, suppressionLists }: Pick<Collections, 'suppressions' | 'suppressionLists'>,
  listId: string,
  texts: readonly string[],
): Promise<void> {
  await suppressions.insertMany(texts.map((text) => ({ _id: `${listId}:${md5(text)}` })));
  await suppressionLists.updateOne({ _id: listId }, { $inc: { entries: texts.length } });
}
