import { performance } from 'node:perf_hooks';
import { buildRow, foundInSheet, rangeOf, readSheetReply } from '../../src/domain/sheetRow.js';
import { noDoor, type Channel } from './channel.js';

/**
 * A row at the end of a sheet. Where it may be there already, or nobody can tell whether it was written, it is looked
 * for by the lead's id: a sheet itself would take the same row twice.
 */
export const sendToSheet: Channel<'GOOGLE_SHEET'> = async (outgoing, settings, deps) => {
  const { lead, terms, fieldNames, sendBy, unanswered } = outgoing;
  const { sheets } = deps;
  if (!sheets) return noDoor('GOOGLE_SERVICE_ACCOUNT_FILE');
  const by = performance.now() + settings.timeout_ms;
  const find = () =>
    sheets.find({
      ...{ spreadsheetId: settings.spreadsheet_id, sheet: settings.sheet, id: lead._id },
      timeoutMs: by - performance.now(),
    });
  if (unanswered) {
    const there = await find();
    if ('row' in there) return { verdict: foundInSheet(there.row, settings) };
    if ('failed' in there) {
      const reason = `the row could not be looked for: ${there.failed}`;
      return { verdict: { result: 'unknown', reason } };
    }
  }
  const reply = await sheets.append({
    spreadsheetId: settings.spreadsheet_id,
    range: rangeOf(settings),
    cells: buildRow(lead, terms, settings, fieldNames),
    timeoutMs: by - performance.now(),
    sendBy,
  });
  const verdict = readSheetReply(reply, deps.clock.now());
  const answer = reply.kind === 'answered' ? { answer: reply.body } : {};
  if (verdict.result === 'unknown') {
    const there = await find();
    if ('row' in there) return { verdict: foundInSheet(there.row, settings), ...answer };
  }
  return { verdict, ...answer };
};
