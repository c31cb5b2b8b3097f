/** What a delivery row says of its buyer: whether it may have the lead, and its data. */
import type { DeliveryDoc } from '../store/deliveryDoc.js';
import type { DeliverySettings } from '../../account/rules/deliverySettings.js';
import type { Lead } from '../../leads/rules/lead.js';

type Attempted = Pick<DeliveryDoc, 'state' | 'unanswered'>;

/**
 * The buyer was sent the lead, never answered, and nobody has said since whether it has it. It may wait to be sent
 * again, under the same key, to a buyer that honors it.
 */
export const isUnknown = ({ state, unanswered }: Attempted): boolean =>
  state === 'unknown' || (state === 'parked' && unanswered === true);

/** No other buyer is sent the lead before it is known whether this one has it. */
export const mayBeTaken = (row: Attempted): boolean => row.state === 'sending' || isUnknown(row);

const WITH_DATA: readonly DeliveryDoc['state'][] = [
  ...(['accepted', 'sending', 'unknown', 'abandoned'] as const),
];

/** The buyer has the data or may have them: no word of it says that it has not taken them. */
const mayHaveData = ({ state, unanswered }: Attempted): boolean =>
  WITH_DATA.includes(state) || (unanswered === true && state !== 'rejected');

/**
 * Ids of the buyers that have the data of a lead, or may have them. The trail speaks for rows that were stored before
 * they said whether they were ever answered.
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
 * Nobody knows whether the buyer has the lead, and as things stand it must not be sent again: the buyer does not honor
 * the key now, or it would go to a place that does not know it.
 * @param planned how the plan of the lead delivers to the buyer
 * @param current how it is delivered to now
 */
export const isStranded = (
  row: Pick<DeliveryDoc, 'unanswered' | 'sent_to'>,
  planned: DeliverySettings,
  current: DeliverySettings,
): boolean =>
  row.unanswered === true &&
  !(current.honours_idempotency_key && addressOf(current) === (row.sent_to ?? addressOf(planned)));

/** Where deliveries of a buyer go, in one line. */
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
