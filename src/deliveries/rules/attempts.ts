/** What a delivery row shows about its buyer: whether it may have the lead, and its data. */
import type { DeliveryDoc } from '../store/deliveryDoc.js';
import type { DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { Lead } from '../../leads/rules/lead.js';

type Attempted = Pick<DeliveryDoc, 'state' | 'unanswered'>;

/**
 * The buyer was sent the lead, never answered, and it is still unknown whether it has it. The row may wait to be sent
 * again, under the same key, to a buyer that honors it.
 */
export const isUnknown = ({ state, unanswered }: Attempted): boolean =>
  state === 'unknown' || (state === 'parked' && unanswered === true);

/** It was sent, and can no longer be answered. */
export const isOverdue = (
  { state, answer_by }: Pick<DeliveryDoc, 'state' | 'answer_by'>,
  now: Date,
): boolean => state === 'sending' && answer_by <= now;

/** The buyer may have accepted the lead: it is not offered elsewhere until that is known. */
export const mayBeAccepted = (row: Attempted): boolean => row.state === 'sending' || isUnknown(row);

const WITH_DATA: readonly Attempted['state'][] = ['accepted', 'sending', 'unknown', 'abandoned'];

/** The buyer has the data or may have them: it has not answered that it did not accept them. */
const mayHaveData = ({ state, unanswered }: Attempted): boolean =>
  WITH_DATA.includes(state) || (unanswered === true && state !== 'rejected');

/**
 * Ids of the buyers that have the data of a lead, or may have them. For rows stored before `unanswered` was recorded,
 * the trail shows it.
 */
export function buyersWithData(
  { sales, trail }: Pick<Lead, 'sales' | 'trail'>,
  rows: readonly (Attempted & Pick<DeliveryDoc, 'buyer_id'>)[],
): string[] {
  const refused = new Set(
    rows.filter(({ state }) => state === 'rejected').map(({ buyer_id }) => buyer_id),
  );
  const unanswered = trail
    .filter(({ step, result }) => step === 'delivery' && result === 'unknown')
    .flatMap(({ buyer_id }) => buyer_id ?? [])
    .filter((id) => !refused.has(id));
  const sent = rows.filter(mayHaveData).map(({ buyer_id }) => buyer_id);
  return [...new Set([...sales.map(({ buyer_id }) => buyer_id), ...sent, ...unanswered])];
}

/**
 * It is unknown whether the buyer has the lead, and at present it must not be sent again: the buyer does not honor
 * the key now, or the request would go to an address that does not know the key.
 * @param planned delivery settings of the buyer in the lead's plan
 * @param current its delivery settings now
 */
export const isStranded = (
  row: Pick<DeliveryDoc, 'unanswered' | 'sent_to'>,
  planned: DeliverySettings,
  current: DeliverySettings,
): boolean =>
  row.unanswered === true &&
  !(current.honours_idempotency_key && addressOf(current) === (row.sent_to ?? addressOf(planned)));

/** The address of a buyer's deliveries, in one line. */
export function addressOf(settings: DeliverySettings): string {
  switch (settings.method) {
    case 'WEBHOOK':
      return `WEBHOOK ${settings.url}`;
    case 'EMAIL':
      return `EMAIL ${[...settings.to, ...settings.cc].join(' ')}`;
    case 'GOOGLE_SHEET':
      return `GOOGLE_SHEET ${settings.spreadsheet_id} ${settings.sheet ?? ''}`;
    case 'STORE':
      return 'STORE';
  }
}
