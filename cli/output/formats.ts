/** What programs get: JSON, JSON lines, CSV, tab-separated values. */
import { UsageError } from '../terminal/errors.js';
import { findNearest } from '../../src/lib/nearest.js';
import { plainText, visibleLines } from './cells.js';
import { isRow, type Row } from './rows.js';
import { getOwn } from '../../src/lib/getOwn.js';

/**
 * The fields that were asked for, in that order.
 * @throws {UsageError} for one that is not known, with those that are
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
 * What `--json` was given, before anything is asked: the fields, or null for all.
 * @throws {UsageError} for a field that is not known
 */
export const jsonFields = (
  json: string | true | undefined,
  known: readonly string[],
  what: string,
): string[] | null => (typeof json === 'string' ? chosenFields(json, known, what) : null);

/** A document with a list in it: whole, or with a choice of fields the rows alone. */
export const jsonList = (
  whole: unknown,
  rows: readonly unknown[],
  fields: readonly string[] | null,
): string =>
  JSON.stringify(fields === null ? whole : rows.map((row) => pick(row, fields)), null, 2);

/** RFC 4180 without the carriage returns; lists and objects are JSON. No text is a formula to a spreadsheet. */
export const csvLine = (values: readonly unknown[]): string =>
  values.map((value) => csvCell(value)).join(',');

function csvCell(value: unknown): string {
  const text =
    value == null ? '' : typeof value === 'object' ? JSON.stringify(value) : asText(value);
  return /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const asText = (value: unknown): string =>
  typeof value === 'string' ? noFormula(visibleLines(value)) : JSON.stringify(value);

/** What spreadsheets calculate when a cell begins with it (OWASP, "CSV Injection"). A phone is no more than a number. */
const FORMULA = /^[\s]*[=@+-]/;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

const noFormula = (text: string): string =>
  FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;

/** One line; tabs and line breaks inside of values are blanks. */
export const tabLine = (row: unknown, keys: readonly string[]): string =>
  keys.map((key) => plainText(isRow(row) ? getOwn(row, key) : row)).join('\t');

/** A record for another program: a key and its value a line. */
export const tabRecord = (record: Row): string =>
  Object.entries(record)
    .map(([key, value]) => `${key}\t${plainText(value)}`)
    .join('\n');
