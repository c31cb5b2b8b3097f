/** Reads one row of a suppression file. */
import type { CsvRow } from '../../lib/csv/readRows.js';
import { shapeOf, type Column } from './values.js';

/** One value that could not be read. */
export interface BadValue {
  /** Line of the file, from 1. */
  line: number;
  /** Null when the whole row could not be read. */
  column: string | null;
  rule: string;
  /** Its shape only: personal data is not repeated. */
  value: string;
}

/** Bad values that a report lists one by one; the others are only counted. */
export const PROBLEMS_MAX = 1_000;

/** The report about a file that was read for a list. */
export interface FileReport {
  list_id: string;
  /** Rows read, without the header and blank lines. */
  rows: number;
  /** Values, or whole rows, that could not be read. */
  bad: number;
  /** Distinct phones and emails on the list now. */
  entries: number;
  /** Headers of the columns that were read, and of those that were not, as the file has them. */
  columns_read: string[];
  columns_ignored: string[];
  /** The first 1,000 bad values. */
  problems: BadValue[];
}

export interface ReadRow<T> {
  values: T[];
  bad: BadValue[];
}

/** @param read returns the parsed value of a column, or the rule it breaks */
export function readRow<T>(
  row: CsvRow,
  columns: readonly Column[],
  read: (name: Column['name'], value: string) => { is: T } | { rule: string },
): ReadRow<T> {
  if ('fault' in row) {
    const rule = FAULTS[row.fault];
    return { values: [], bad: [{ line: row.line, column: null, rule, value: '' }] };
  }
  const values: T[] = [];
  const bad: BadValue[] = [];
  for (const { name, index } of columns) {
    const value = row.cells[index] ?? '';
    if (value === '') continue;
    const found = read(name, value);
    if ('is' in found) values.push(found.is);
    else bad.push({ line: row.line, column: name, rule: found.rule, value: shapeOf(value) });
  }
  if (values.length > 0 || bad.length > 0) return { values, bad };
  const rule = `one of ${columns.map(({ name }) => name).join(', ')} must have a value`;
  return { values, bad: [{ line: row.line, column: null, rule, value: '' }] };
}

const FAULTS = {
  open_quote: 'a quote that opens a cell must be closed',
  too_long: 'a row must have at most 16,384 characters',
} as const;
