import { buildRow, foundInSheet } from '../rules/sheetRow.js';
import { NOT_YOURS } from '../../account/store/spreadsheets.js';
import { appendOnce } from './appendOnce.js';
import { notConfigured, type Channel } from './channel.js';

/** A row at the end of a sheet, found by the lead's id. */
export const sendToSheet: Channel<'GOOGLE_SHEET'> = async (outgoing, settings, deps) => {
  const { lead, terms, fieldNames, sendBy, unanswered = false } = outgoing;
  if (!deps.sheets) return notConfigured('GOOGLE_SERVICE_ACCOUNT_FILE');
  if (!(await deps.sheetOwners.mayWrite(outgoing.org_id, settings.spreadsheet_id)))
    return { verdict: { result: 'not_taken', reason: NOT_YOURS } };
  const { spreadsheet_id, sheet, timeout_ms: timeoutMs } = settings;
  const cells = buildRow(lead, terms, settings, fieldNames);
  const row = { spreadsheet_id, sheet, cells, timeoutMs, sendBy, mayBeThere: unanswered };
  const said = await appendOnce(row, deps.sheets, deps.clock.now());
  switch (said.kind) {
    case 'there':
      return { verdict: foundInSheet(said.row, settings), answer: said.answer };
    case 'unsure':
      return { verdict: { result: 'unknown', reason: said.reason } };
    case 'said':
      return { verdict: said.verdict, answer: said.answer };
  }
};
