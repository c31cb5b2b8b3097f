import { buildRow, rangeOf, readSheetReply } from '../../src/domain/sheetRow.js';
import { noDoor, type Channel } from './channel.js';

/** A row at the end of a sheet. */
export const sendToSheet: Channel<'GOOGLE_SHEET'> = async (outgoing, settings, deps) => {
  const { lead, terms, fieldNames, sendBy } = outgoing;
  if (!deps.sheets) return noDoor('GOOGLE_SERVICE_ACCOUNT_FILE');
  const reply = await deps.sheets.append({
    spreadsheetId: settings.spreadsheet_id,
    range: rangeOf(settings),
    cells: buildRow(lead, terms, settings, fieldNames),
    timeoutMs: settings.timeout_ms,
    sendBy,
  });
  return {
    verdict: readSheetReply(reply, deps.clock.now()),
    ...(reply.kind === 'answered' ? { answer: reply.body } : {}),
  };
};
