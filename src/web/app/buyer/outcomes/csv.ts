/** The report of an import as a file that spreadsheets open. */
import type { ImportReport } from '../types.js';

type Line = ImportReport['report'][number];

const COLUMNS = ['line', 'result', 'lead_id', 'path', 'code', 'message'] as const;

export const csvOf = (lines: readonly Line[]): string =>
  [COLUMNS.join(','), ...lines.map((line) => COLUMNS.map((name) => cell(line[name])).join(','))]
    .join('\r\n')
    .concat('\r\n');

/** A text that a spreadsheet would read as a formula is marked as text. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
