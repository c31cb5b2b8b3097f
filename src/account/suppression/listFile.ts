/** Reads a suppression file: its header, then the values of each row. */
import { readRows, type CsvRow } from '../../lib/csv/readRows.js';
import { noColumns, readHeader, shapeOf, type Column, type Header } from './values.js';

/** One value that could not be read. */
interface BadValue {
  /** Line of the file, from 1. */
  line: number;
  /** Null when the whole row could not be read. */
  column: string | null;
  rule: string;
  /** Its shape only: personal data is not repeated. */
  value: string;
}

/** Bad values that a report lists one by one; the others are only counted. */
const PROBLEMS_MAX = 1_000;

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

/** Returns the parsed value of a column, or the rule it breaks. */
type ReadValue<T> = (name: Column['name'], value: string) => { is: T } | { rule: string };

/**
 * Reads the file row by row.
 * @param take receives the values of a row, and the counts of the rows up to it
 * @throws {AppError} `validation_failed` for a file without a recognized column, before any row is taken
 */
export async function readListFile<T>(
  source: AsyncIterable<Uint8Array>,
  read: ReadValue<T>,
  take: (values: readonly T[], counts: { rows: number; bad: number }) => Promise<void>,
): Promise<Omit<FileReport, 'list_id' | 'entries'>> {
  const counts = { rows: 0, bad: 0 };
  const problems: BadValue[] = [];
  let header: Header | null = null;
  for await (const rows of readRows(source)) {
    for (const row of rows) {
      if (!header) {
        header = readHeader('cells' in row ? row.cells : []);
        continue;
      }
      const { values, bad } = readRow(row, header.columns, read);
      counts.rows += 1;
      counts.bad += bad.length;
      problems.push(...bad.slice(0, PROBLEMS_MAX - problems.length));
      await take(values, counts);
    }
  }
  if (!header) throw noColumns();
  return { ...counts, problems, columns_read: header.read, columns_ignored: header.ignored };
}

function readRow<T>(
  row: CsvRow,
  columns: readonly Column[],
  read: ReadValue<T>,
): { values: T[]; bad: BadValue[] } {
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
