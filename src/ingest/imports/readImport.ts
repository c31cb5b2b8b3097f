/** The rows of a file as leads: what its columns mean, and what identifies each row. */
import { createHash } from 'node:crypto';
import type { Scalar } from '../../fields/values.js';
import { CONTROL_FIELDS } from '../../fields/mapping.js';
import { isBlank } from '../../fields/fields.js';
import { getOwn } from '../../lib/getOwn.js';
import { readRows } from '../../lib/csv/readRows.js';
import type { ImportRow } from './importRows.js';

/** A row as it was sent: its values, or why it could not be read. */
export interface SentRow {
  line: number;
  values: Record<string, Scalar | null>;
}
export interface BrokenRow {
  line: number;
  message: string;
}

const FAULTS = {
  open_quote: 'A quote that opens a cell must be closed.',
  too_long: 'A row must have at most 16,384 characters.',
} as const;

/**
 * The rows of a CSV text with a header.
 * @param firstLine line of the file that the second line of the text is
 */
export async function rowsOfCsv(text: string, firstLine: number): Promise<(SentRow | BrokenRow)[]> {
  const rows: (SentRow | BrokenRow)[] = [];
  let header: string[] | null = null;
  const source = (async function* () {
    yield await Promise.resolve(Buffer.from(text));
  })();
  for await (const batch of readRows(source))
    for (const row of batch) {
      const line = row.line - 2 + firstLine;
      if ('fault' in row) rows.push({ line, message: FAULTS[row.fault] });
      else if (header === null) header = row.cells;
      else if (row.cells.length > header.length)
        rows.push({
          line,
          message: `It has ${row.cells.length} cells, and the header ${header.length}.`,
        });
      else rows.push({ line, values: valuesOf(header, row.cells) });
    }
  return rows;
}

const valuesOf = (header: readonly string[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(header.map((name, at) => [name, cells[at] ?? '']));

export interface ReadingRules {
  import_id: string;
  supplier_id: string;
  campaign_id: string;
  /** The column whose value identifies a row, in every import of this supplier and campaign; absent: import and line. */
  keyColumn?: string;
  /** Whether a column says something of an exported lead, and is no field of one. */
  isOwnColumn(name: string): boolean;
  /** The field that a column holds. */
  fieldOf(name: string): string;
}

/** The last line of an export, which is no lead. */
const END = /^#end [0-9]+$/;

/** The lead of a row; null for the end of an export. */
export function readImportRow(
  { line, values }: SentRow,
  rules: ReadingRules,
): ImportRow | BrokenRow | null {
  if (isEnd(values)) return null;
  const names = Object.keys(values);
  const control = names.find((name) => CONTROL_FIELDS.includes(name));
  if (control !== undefined)
    return { line, message: `A row must not have ${control}: the import sets it.` };
  const entries = names
    .filter((name) => name !== '' && !rules.isOwnColumn(name))
    .map((name) => [rules.fieldOf(name), getOwn(values, name) ?? null] as const)
    .filter((entry): entry is readonly [string, Scalar] => isGiven(entry[1]));
  const identity = identityOf(line, values, rules);
  if (identity === null)
    return { line, message: `The key column ${rules.keyColumn ?? ''} has no value.` };
  return { line, identity, fields: Object.fromEntries(entries) };
}

const isGiven = (value: Scalar | null): value is Scalar =>
  value !== null && !(typeof value === 'string' && isBlank(value));

const isEnd = (values: SentRow['values']): boolean =>
  values.end === true || END.test(String(Object.values(values)[0] ?? ''));

function identityOf(line: number, values: SentRow['values'], rules: ReadingRules): string | null {
  const { import_id, supplier_id, campaign_id, keyColumn } = rules;
  const place = [supplier_id, campaign_id];
  if (keyColumn === undefined) return hashOf(['line', ...place, import_id, String(line)]);
  const value = getOwn(values, keyColumn) ?? null;
  return isGiven(value) ? hashOf(['key', ...place, keyColumn, String(value)]) : null;
}

/** A value may be personal data. */
const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
