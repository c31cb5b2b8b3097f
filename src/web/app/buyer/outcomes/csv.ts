/** The report of an import as a file that spreadsheets open. */
import { csvLine } from '../../../../lib/csv/writeRow.js';
import type { ImportReport } from '../types.js';

type Line = ImportReport['report'][number];

const COLUMNS = ['line', 'result', 'lead_id', 'path', 'code', 'message'] as const;

export const csvOf = (lines: readonly Line[]): string =>
  [COLUMNS, ...lines.map((line) => COLUMNS.map((name) => line[name]))].map(csvLine).join('');
