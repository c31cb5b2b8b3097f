/** The columns of a list: as people see them, and as lines for other programs have them. */
import type { Column, CommandEntry } from '../actions/manifest.js';
import { isRow } from './rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Programs count the values of a line, so these stay as they are. Any other list has all fields of its rows. */
const PIPED: Readonly<Record<string, readonly string[]>> = {
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

type Described = Pick<CommandEntry, 'name' | 'fields' | 'columns'>;

/** The keys of a line, one value after the other. */
export function pipedKeys({ name, fields }: Described, rows: readonly unknown[]): string[] {
  const known = fields.length > 0 ? fields : keysOf(rows);
  return getOwn(PIPED, name)?.filter((key) => known.includes(key)) ?? plainKeys(known, rows);
}

/** The columns of a table, the most worth first; one that is empty in every row carries no information. */
export function columnsOf({ fields, columns }: Described, rows: readonly unknown[]): Column[] {
  if (!columns) return plainColumns(fields.length > 0 ? fields : keysOf(rows), rows);
  const filled = columns.filter(({ key }) => rows.some((row) => hasValue(row, key)));
  return filled.length > 0 ? filled : columns;
}

/** The columns of a list within a record. */
export const plainColumns = (keys: readonly string[], rows: readonly unknown[]): Column[] =>
  plainKeys(keys, rows).map((key) => ({ key }));

const keysOf = (rows: readonly unknown[]): string[] => [
  ...new Set(rows.flatMap((row) => (isRow(row) ? Object.keys(row) : []))),
];

/** Lists and objects are not cells, and an empty column carries no information. */
function plainKeys(keys: readonly string[], rows: readonly unknown[]): string[] {
  const shown = keys.filter((key) => {
    const values = rows.flatMap((row) =>
      isRow(row) && getOwn(row, key) != null ? [getOwn(row, key)] : [],
    );
    return values.length > 0 && values.every((value) => typeof value !== 'object');
  });
  return shown.length > 0 ? shown : [...keys];
}

function hasValue(row: unknown, key: string): boolean {
  const value = isRow(row) ? getOwn(row, key) : undefined;
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
