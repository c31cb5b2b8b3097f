/** What people type where an id goes, as ids: names, beginnings of ids, `@last`. Whole ids cost no call. */
import type { Client } from '../client/client.js';
import type { Connection } from '../client/connection.js';
import type { Environment } from '../output/paint.js';
import type { Row } from '../output/rows.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { findRecord } from './findRecord.js';
import { isKind, isWholeId, type KindKey } from './kinds.js';
import { LAST, lastOf, rememberLast } from './lastRecords.js';

/** Where references are looked up. */
export interface Lookup {
  client: Client;
  connection: Connection;
  environment: Environment;
}

/**
 * The id that a text means.
 * @throws {UsageError | CommandFailed} where it means no record, or more than one
 */
export async function resolveReference(
  { client, connection, environment }: Lookup,
  key: KindKey,
  text: string,
): Promise<string> {
  if (isWholeId(text)) return text;
  if (text === LAST) return lastOf(environment, connection, key);
  return findRecord(client, key, text);
}

/** The same for a record that a command shows: `@last` means it from now on. */
export async function resolveShown(lookup: Lookup, key: KindKey, text: string): Promise<string> {
  const id = await resolveReference(lookup, key, text);
  rememberLast(lookup.environment, lookup.connection, { [key]: id });
  return id;
}

/** The same for each of several, separated by commas. */
export async function resolveReferences(
  lookup: Lookup,
  key: KindKey,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const ids: string[] = [];
  for (const one of text.split(',')) ids.push(await resolveReference(lookup, key, one.trim()));
  return ids.join(',');
}

/**
 * An input with ids for what was typed.
 * @param typed the keys of the input that were typed on the command line: a file of input has ids, as programs write them
 */
export async function withIds<T extends Row>(
  lookup: Lookup,
  input: T,
  typed: readonly string[],
): Promise<T> {
  const found: Row = {};
  for (const key of typed) {
    const value = getOwn(input, key);
    // The people of a partner are in a list of their own.
    if (key === 'member_id' && (input.buyer_id ?? input.supplier_id) !== undefined) continue;
    if (isKind(key) && typeof value === 'string' && value !== '')
      found[key] = await resolveReference(lookup, key, value);
  }
  return { ...input, ...found };
}
