/** The row that delivers a lead to a buyer's sheet, and the meaning of the Sheets API's answer. */
import { printable } from './answerValues.js';
import { readStatus, withoutAnswer, type DeliveryVerdict } from './delivery.js';
import type { TransportReply } from '../../platform/outbound/reply.js';
import type { DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { Scalar } from '../../fields/values.js';
import { payloadOf, valueOf, type DeliveredLead } from './payload.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import { readableAnswer } from '../../account/rules/response.js';
import { tabOf } from '../../platform/rules/sheetTab.js';

/** A cell holds at most 50,000 characters. */
export const CELL_MAX = 50_000;

/**
 * The cells of a lead, its id first. Without columns: its creation time, whether it is a test, and the fields in the
 * order of the mapping, so that every lead has the same columns.
 */
export function buildRow(
  lead: DeliveredLead,
  terms: Pick<BuyerTerms, 'buyer_id' | 'price'>,
  { columns }: DeliverySettings<'GOOGLE_SHEET'>,
  fieldNames: readonly string[],
): [string, ...Scalar[]] {
  const payload = payloadOf(lead, terms);
  const names = columns ?? ['created_at', 'is_test', ...fieldNames];
  const cells = names
    .filter((name) => name !== 'lead_id')
    .map((name) => {
      const value = valueOf(payload, name) ?? '';
      return typeof value === 'string' ? value.slice(0, CELL_MAX) : value;
    });
  return [lead._id, ...cells];
}

/** The table of a sheet to append to, in A1 notation; a quote in a name is doubled. */
export const rangeOf = ({ sheet }: { sheet: string | null }): string => `${tabOf(sheet)}A1`;

/** The row was found by the id in its first cell. */
export const foundInSheet = (
  row: number,
  { sheet }: { sheet: string | null },
): DeliveryVerdict => ({
  result: 'accepted',
  reason: 'The row is in the sheet',
  reference: `${tabOf(sheet)}A${row}`.slice(0, 200),
});

/**
 * A sheet judges no lead: every refusal (no access, no such sheet or tab) is a fault of the setup, so that the
 * lead was definitely not accepted and is not lost. After a 5xx the row may have been written all the same.
 */
export function readSheetReply(reply: TransportReply, now: Date): DeliveryVerdict {
  if (reply.kind !== 'answered') return withoutAnswer(reply);
  const byStatus = readStatus(reply, now);
  const { result } = byStatus;
  const path = result === 'accepted' ? 'updates.updatedRange' : 'error.message';
  const found = readableAnswer(reply).at(path);
  const words = typeof found === 'string' ? printable(found) : '';
  if (result === 'accepted') {
    return { ...byStatus, reason: 'The row was written', reference: words || undefined };
  }
  const reason = `Google Sheets answered ${reply.status}${words ? `: ${words}` : ''}`;
  if (reply.status >= 500) return { ...byStatus, result: 'unknown', reason };
  return { ...byStatus, result: result === 'rejected' ? 'not_taken' : result, reason };
}
