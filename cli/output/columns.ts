/** The columns of a list for people. Programs get all fields by `--json`, `--jsonl` and `--csv`. */
import type { CommandEntry } from '../actions/manifest.js';
import { isRow } from './rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** The most informative first; a narrow terminal leaves out the last. */
const CHOSEN: Readonly<Record<string, readonly string[]>> = {
  list_campaigns: [
    'id',
    'name',
    'status',
    'distribution_method',
    'version',
    'created_at',
    'vertical',
  ],
  list_buyers: ['id', 'name', 'status', 'test_mode', 'email', 'phone', 'created_at'],
  list_suppliers: ['id', 'name', 'status', 'test_mode', 'created_at'],
  list_suppressions: ['id', 'name', 'scope', 'entries', 'uploaded_at'],
  list_api_keys: ['id', 'name', 'prefix', 'last_used_at', 'expires_at', 'revoked_at', 'created_at'],
  list_audit: ['at', 'action', 'outcome', 'key', 'error', 'id'],
};

/** The chosen columns, or else every field that holds a plain value in one of the rows. */
export function columnsOf(
  { name, fields }: Pick<CommandEntry, 'name' | 'fields'>,
  rows: readonly unknown[],
): string[] {
  const known = fields.length > 0 ? fields : keysOf(rows);
  const chosen = getOwn(CHOSEN, name)?.filter((key) => known.includes(key));
  return chosen ?? plainKeys(known, rows);
}

const keysOf = (rows: readonly unknown[]): string[] => [
  ...new Set(rows.flatMap((row) => (isRow(row) ? Object.keys(row) : []))),
];

/** Lists and objects are not cells, and an empty column carries no information. */
export function plainKeys(keys: readonly string[], rows: readonly unknown[]): string[] {
  const shown = keys.filter((key) => {
    const values = rows.flatMap((row) =>
      isRow(row) && getOwn(row, key) != null ? [getOwn(row, key)] : [],
    );
    return values.length > 0 && values.every((value) => typeof value !== 'object');
  });
  return shown.length > 0 ? shown : [...keys];
}
