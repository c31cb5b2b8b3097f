/** Rows of CSV (RFC 4180) that no spreadsheet reads as formulas. */
import type { Cell } from './call.js';

/** Text that a spreadsheet would run: an apostrophe makes the cell text. Numbers are safe; a phone is text. */
const RUNS = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = RUNS.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
