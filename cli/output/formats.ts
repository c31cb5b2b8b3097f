/** Formats for programs: JSON, JSON lines, CSV, tab-separated values. */
import { UsageError } from '../terminal/errors.js';
import { findNearest } from '../../src/lib/nearest.js';
import { plainText, visibleLines } from './cells.js';
import { isRow, type Row } from './rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/**
 * The requested fields, in that order.
 * @throws {UsageError} for an unknown one, listing the known ones
 */
export function chosenFields(list: string, known: readonly string[], what: string): string[] {
  const wanted = list.split(',').map((field) => field.trim());
  const unknown = known.length === 0 ? undefined : wanted.find((field) => !known.includes(field));
  if (unknown === undefined) return wanted;
  const near = findNearest(unknown, known);
  throw new UsageError(
    `Unknown field "${unknown}" of ${what}.${near === undefined ? '' : ` Did you mean ${near}?`} ` +
      `The fields are:\n  ${known.join('\n  ')}`,
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

/** RFC 4180 without the carriage returns; lists and objects are JSON. No text becomes a formula in a spreadsheet. */
export const csvLine = (values: readonly unknown[]): string =>
  values.map((value) => csvCell(value)).join(',');

function csvCell(value: unknown): string {
  const text =
    value == null ? '' : typeof value === 'object' ? JSON.stringify(value) : asText(value);
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? noFormula(visibleLines(value)) : JSON.stringify(value);

/** Beginnings that make spreadsheets calculate a cell (OWASP, "CSV Injection"). A phone is only a number. */
const FORMULA = /^[\s]*[=@+-]/;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

const noFormula = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/** One line; tabs and line breaks within values become blanks. */
export const tabLine = (row: unknown, keys: readonly string[]): string =>
  keys.map((key) => plainText(isRow(row) ? getOwn(row, key) : row)).join('\t');

/** A record for another program: one key and its value per line. */
export const tabRecord = (record: Row): string =>
  Object.entries(record)
    .map(([key, value]) => `${key}\t${plainText(value)}`)
    .join('\n');
