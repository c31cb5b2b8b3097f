/** Appends a row to a sheet once: a sheet itself would accept the same row twice. */
import { performance } from 'node:perf_hooks';
import type { DeliveryVerdict } from '../rules/delivery.js';
import type { Scalar } from '../../fields/values.js';
import { rangeOf, readSheetReply } from '../rules/sheetRow.js';
import type { Sheets } from '../../platform/outbound/sheets/sheets.js';

export interface SheetRow {
  spreadsheet_id: string;
  /** The tab; null: the first. */
  sheet: string | null;
  /** The first cell identifies the row. */
  cells: [string, ...Scalar[]];
  /** Written first where the sheet is empty. */
  header?: string[];
  /** For all calls together, in milliseconds. */
  timeoutMs: number;
  /** The row is not sent after this, on the clock of performance.now(). */
  sendBy: number;
  /** It was sent before, so the sheet may contain it. */
  mayBeThere: boolean;
}

/**
 * there: it is in the sheet, at this row. unsure: the search failed, and it was not sent. said: the verdict from
 * Google's answer; an unknown result could not be cleared up by a search either.
 */
export type AppendedRow =
  | { kind: 'there'; row: number; answer?: string }
  | { kind: 'unsure'; reason: string }
  | { kind: 'said'; verdict: DeliveryVerdict; answer?: string };

/** A row that may exist already, or whose append has no known result, is searched for by its first cell. */
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
    header,
    timeoutMs: by - performance.now(),
  });
  const verdict = readSheetReply(reply, now);
  const answer = reply.kind === 'answered' ? reply.body : undefined;
  if (verdict.result === 'unknown') {
    const there = await find();
    if ('row' in there) return { kind: 'there', row: there.row, answer };
  }
  return { kind: 'said', verdict, answer };
}
