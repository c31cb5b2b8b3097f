/** Formats for programs: JSON, JSON lines, CSV, tab-separated values. */
import { UsageError } from '../terminal/errors.js';
import { didYouMean } from '../../src/lib/nearest.js';
import { plainText, visibleLines } from './cells.js';
import { isRow, type Row } from './rows.js';
import { csvRow, type CsvCell } from '../../src/lib/csv/writeRow.js';
import { getOwn } from '../../src/lib/getOwn.js';

/**
 * The requested fields, in that order.
 * @throws {UsageError} for an unknown one, listing the known ones
 */
export function chosenFields(list: string, known: readonly string[], what: string): string[] {
  const wanted = list.split(',').map((field) => field.trim());
  const unknown = known.length === 0 ? undefined : wanted.find((field) => !known.includes(field));
  if (unknown === undefined) return wanted;
  const hint = didYouMean(unknown, known);
  throw new UsageError(
    `Unknown field "${unknown}" of ${what}.${hint} The fields are:\n  ${known.join('\n  ')}`,
  );
}

export function pick(value: unknown, fields: readonly string[] | null): unknown {
  if (fields === null || !isRow(value)) return value;
  return Object.fromEntries(fields.map((field) => [field, getOwn(value, field) ?? null]));
}

/**
 * The fields of `--json`, before anything is requested, or null for all.
 * @throws {UsageError} for an unknown field
 */
export const jsonFields = (
  json: string | true | undefined,
  known: readonly string[],
  what: string,
): string[] | null => (typeof json === 'string' ? chosenFields(json, known, what) : null);

/** A document with a list in it: the whole document, or with chosen fields the rows alone. */
export const jsonList = (
  whole: unknown,
  rows: readonly unknown[],
  fields: readonly string[] | null,
): string =>
  JSON.stringify(fields === null ? whole : rows.map((row) => pick(row, fields)), null, 2);

/** For other programs: without carriage returns; lists and objects are JSON, and a phone is a number. */
export const csvLine = (values: readonly unknown[]): string =>
  csvRow(values.map(cellOf), { hasPlainNumbers: true });

function cellOf(value: unknown): CsvCell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return visibleLines(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : JSON.stringify(value);
}

/** One line; tabs and line breaks within values become blanks. */
export const tabLine = (row: unknown, keys: readonly string[]): string =>
  keys.map((key) => plainText(isRow(row) ? getOwn(row, key) : row)).join('\t');

/** A record for another program: one key and its value per line. */
export const tabRecord = (record: Row): string =>
  Object.entries(record)
    .map(([key, value]) => `${key}\t${plainText(value)}`)
    .join('\n');
