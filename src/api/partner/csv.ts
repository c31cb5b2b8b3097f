/** Rows of CSV (RFC 4180) that no spreadsheet takes for formulas. */
import type { Cell } from './call.js';

/** What a spreadsheet would run: the cell is made text by an apostrophe. Numbers are none; a phone is text. */
const RUNS = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = RUNS.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
