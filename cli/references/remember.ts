/** Which record a command was about, for `@last`. */
import type { CommandEntry } from '../actions/manifest.js';
import type { Connection } from '../client/connection.js';
import type { Environment } from '../output/paint.js';
import { isRow, type Row } from '../output/rows.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { KIND_OF_NOUN } from './kinds.js';
import { idsAmong, rememberLast, type Shown } from './lastRecords.js';

interface Done {
  entry: CommandEntry;
  /** With whole ids. */
  input: Row;
  /** Of one record. */
  data: unknown;
}

/** Remembers the records that were named, and the one that was made or shown; one that is deleted is forgotten. */
export function rememberAnswer(
  environment: Environment,
  connection: Connection,
  { entry, input, data }: Done,
): void {
  rememberLast(environment, connection, { ...idsAmong(input), ...ownOf(entry, input, data) });
}

function ownOf({ cli, name }: CommandEntry, input: Row, data: unknown): Shown {
  const key = getOwn(KIND_OF_NOUN, cli[0]);
  if (!key) return {};
  if (name.startsWith('delete_')) return input.dry_run === true ? {} : { [key]: null };
  const record = isRow(data) ? data : {};
  const id = getOwn(record, key) ?? getOwn(input, key) ?? record.id;
  return typeof id === 'string' ? { [key]: id } : {};
}
