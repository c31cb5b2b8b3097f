/** A row in a sheet, once: a sheet itself would take the same row twice. */
import { performance } from 'node:perf_hooks';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { Scalar } from '../../fields/values.js';
import { rangeOf, readSheetReply } from '../rules/sheetRow.js';
import type { Sheets } from '../../platform/outbound/sheets/sheets.js';

export interface SheetRow {
  spreadsheet_id: string;
  /** The tab; null: the first. */
  sheet: string | null;
  /** Its first cell is what it is found by. */
  cells: [string, ...Scalar[]];
  /** Written before it where the sheet is empty. */
  header?: string[];
  /** For all of it, in milliseconds. */
  timeoutMs: number;
  /** The row is not sent after this, on the clock of performance.now(). */
  sendBy: number;
  /** It was sent before: it may be there. */
  mayBeThere: boolean;
}

/**
 * there: it is in the sheet, at this row. unsure: it could not be looked for, and was not sent. said: what Google's answer
 * means, and an unknown result is one that could not be looked up either.
 */
export type AppendedRow =
  | { kind: 'there'; row: number; answer?: string }
  | { kind: 'unsure'; reason: string }
  | { kind: 'said'; verdict: DeliveryVerdict; answer?: string };

/** Where a row may be there already, or nobody can tell whether it was written, it is looked for by its first cell. */
export async function appendOnce(row: SheetRow, sheets: Sheets, now: Date): Promise<AppendedRow> {
  const { spreadsheet_id: spreadsheetId, sheet, cells, header, sendBy } = row;
  const by = performance.now() + row.timeoutMs;
  const find = () =>
    sheets.find({ spreadsheetId, sheet, id: cells[0], timeoutMs: by - performance.now() });
  if (row.mayBeThere) {
    const there = await find();
    if ('row' in there) return { kind: 'there', row: there.row };
    if ('failed' in there)
      return { kind: 'unsure', reason: `the row could not be looked for: ${there.failed}` };
  }
  const reply = await sheets.append({
    spreadsheetId,
    range: rangeOf({ sheet }),
    cells,
    sendBy,
    ...(header ? { header } : {}),
    timeoutMs: by - performance.now(),
  });
  const verdict = readSheetReply(reply, now);
  const answer = reply.kind === 'answered' ? { answer: reply.body } : {};
  if (verdict.result === 'unknown') {
    const there = await find();
    if ('row' in there) return { kind: 'there', row: there.row, ...answer };
  }
  return { kind: 'said', verdict, ...answer };
}
