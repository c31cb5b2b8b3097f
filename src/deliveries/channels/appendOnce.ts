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
 * found: it is in the sheet, at this row. unsure: the search failed, and it was not sent. answered: the verdict from
 * Google's answer; where that is unknown, a search did not find the row either.
 */
export type AppendedRow =
  | { kind: 'found'; row: number; answer?: string }
  | { kind: 'unsure'; reason: string }
  | { kind: 'answered'; verdict: DeliveryVerdict; answer?: string };

/** A row that may exist already, or whose append has no known result, is searched for by its first cell. */
export async function appendOnce(row: SheetRow, sheets: Sheets, now: Date): Promise<AppendedRow> {
  const { spreadsheet_id: spreadsheetId, sheet, cells, header, sendBy } = row;
  const by = performance.now() + row.timeoutMs;
  const find = () =>
    sheets.find({ spreadsheetId, sheet, id: cells[0], timeoutMs: by - performance.now() });
  if (row.mayBeThere) {
    const search = await find();
    if ('row' in search) return { kind: 'found', row: search.row };
    if ('failed' in search)
      return { kind: 'unsure', reason: `the row could not be looked for: ${search.failed}` };
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
    const search = await find();
    if ('row' in search) return { kind: 'found', row: search.row, answer };
  }
  return { kind: 'answered', verdict, answer };
}
