/** Why a command on the delivery of one lead cannot be carried out. */
import { isOverdue, isUnknown } from '../../deliveries/rules/attempts.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { Lead } from '../../leads/rules/lead.js';
import { isOpen } from '../../leads/rules/leadStatus.js';
import type { Refusal } from '../../../workflows/queueCommands.js';

export interface CommandRefusal {
  refused: Refusal;
  message: string;
}

/** The result of the check; `done`: it was resolved so before, and there is nothing left to do. */
export type Checked = CommandRefusal | 'done' | null;

type Row = Pick<DeliveryDoc, 'state' | 'unanswered' | 'answer_by'>;

/**
 * Null when the command can be carried out, or could if no run were working on the lead.
 * @param row the latest delivery of the lead to the buyer
 */
export function checkCommand(
  { action, buyer_id, result }: Pick<CommandDoc, 'action' | 'buyer_id' | 'result'>,
  row: Row | undefined,
  lead: Pick<Lead, '_id' | 'status'>,
  now: Date,
): Checked {
  const refused = (code: Refusal, text: string): CommandRefusal => ({
    refused: code,
    message: `Lead ${lead._id} ${text}`,
  });
  const unlessSettled = (): CommandRefusal | null =>
    isOpen(lead.status) ? null : refused('not_waiting', `no longer waits: it is ${lead.status}.`);
  if (!row) return refused('not_waiting', `was never offered to buyer ${buyer_id}.`);
  const isLate = isOverdue(row, now);
  if (row.state === 'sending' && !(isLate && action === 'resolve')) {
    return refused(
      'being_sent',
      isLate
        ? 'was sent, and no answer was recorded. Resolve it, or wait until it is held as unknown.'
        : 'is being sent to the buyer now. Call again when its answer is known.',
    );
  }
  if (action === 'resolve') {
    if (isUnknown(row) || isLate) return unlessSettled();
    if (row.state === result) return 'done';
    if (row.state === 'accepted' || row.state === 'rejected')
      return refused('already_resolved', `is already ${row.state} by this buyer.`);
    return refused('not_waiting', `has nothing to resolve: its delivery is ${row.state}.`);
  }
  if (row.state === 'unknown' && action !== 'drop') {
    return refused(
      'unknown_delivery',
      'was sent and never answered: the buyer may have it, so it is not sent again. Ask the buyer, then resolve ' +
        'the delivery as accepted or rejected (or drop it).',
    );
  }
  if (row.state !== 'parked' && row.state !== 'unknown')
    return refused('not_waiting', `does not wait for the buyer: its delivery is ${row.state}.`);
  return unlessSettled();
}
