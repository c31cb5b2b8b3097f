import { PASSING, type DeliveryVerdict } from '../../deliveries/rules/delivery.js';
import { buildEventRow, headerOf } from '../rules/eventRow.js';
import { NOT_YOURS } from '../../account/store/spreadsheets.js';
import { appendOnce } from '../../deliveries/channels/appendOnce.js';
import { TIMEOUT_MS, type Sender, type SendResult } from './sender.js';

/** A row at the end of a sheet, found by the event's id: before a repeat, the sheet is searched for it. */
export const sendToSheet: Sender<'GOOGLE_SHEET'> = async (message, { org_id, target }, deps) => {
  const { envelope, sendBy, isRepeat: mayBeThere } = message;
  if (!deps.sheets) {
    const reason = 'GOOGLE_SERVICE_ACCOUNT_FILE is not set in this installation';
    return { kind: 'failed', reason };
  }
  const { spreadsheet_id, sheet, columns } = target;
  if (!(await deps.sheetOwners.mayWrite(org_id, spreadsheet_id)))
    return { kind: 'failed', reason: NOT_YOURS };
  const cells = buildEventRow(envelope, columns);
  const header = headerOf(columns);
  const row = { spreadsheet_id, sheet, cells, header, timeoutMs: TIMEOUT_MS, sendBy, mayBeThere };
  const appended = await appendOnce(row, deps.sheets, deps.clock.now());
  switch (appended.kind) {
    case 'found':
      return { kind: 'delivered' };
    case 'unsure':
      return { kind: 'failed', reason: appended.reason };
    case 'answered':
      return resultOf(appended.verdict);
  }
};

/** A sheet refuses no event for its content: every fault may be fixed. */
function resultOf({ result, reason, http_status, retry_after_ms }: DeliveryVerdict): SendResult {
  if (result === 'accepted') return { kind: 'delivered', http_status };
  // Such a status would count as a refusal by the receiver, which keeps its back-off when the sheet has recovered.
  const shown = isRefusal(http_status) ? undefined : http_status;
  return { kind: 'failed', reason, http_status: shown, retryAfterMs: retry_after_ms };
}

const isRefusal = (status = 0): boolean =>
  status >= 400 && status < 500 && !PASSING.includes(status);
