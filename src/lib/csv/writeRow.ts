/** Rows of CSV (RFC 4180) that no spreadsheet runs, and that `readRows` reads back. Pages in browsers write them too. */
import { withMarks } from './marks.js';

export type CsvCell = string | number | boolean | Date | null | undefined;

/** Other separators are quoted too: a file may be opened with one of them. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;
const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?$/;

/**
 * One row without the end of its line.
 * @param options.hasPlainNumbers a text that is a number, such as a phone, is written as it is, for programs: a
 * spreadsheet makes a number of it, and may round it
 */
export const csvRow = (
  cells: readonly CsvCell[],
  { hasPlainNumbers = false }: { hasPlainNumbers?: boolean } = {},
): string => cells.map((cell) => written(cell, hasPlainNumbers)).join(',');

/** One row with the end of its line. */
export const csvLine = (cells: readonly CsvCell[]): string => `${csvRow(cells)}\r\n`;

function written(cell: CsvCell, hasPlainNumbers: boolean): string {
  if (cell == null) return '';
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell !== 'string') return String(cell);
  const text = hasPlainNumbers && NUMBER.test(cell) ? cell : withMarks(cell);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
