/** Which buyers have a lead: those that bought it, or were sent it and never answered. */
import { isUnknown } from '../deliveries/rules/attempts.js';
import { CLAIMING_STATUSES } from '../leads/rules/leadStatus.js';
import type { CandidateLead } from '../leads/store/buyerLeads.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { DeliveryStore } from '../deliveries/store/deliveries.js';

/** The buyers that have each lead, by the ids of the leads. */
export async function buyersHoldingLead(
  leads: readonly CandidateLead[],
  deliveries: Pick<DeliveryStore, 'ofLeads'>,
): Promise<Map<string, Set<string>>> {
  // A lead that ended unsold is with no buyer.
  const open = leads.filter(({ status }) => CLAIMING_STATUSES.some((one) => one === status));
  const rows = await deliveries.ofLeads(open.map(({ _id }) => _id));
  return new Map(
    leads.map(({ _id, sales }) => {
      const sent = (rows.get(_id) ?? []).filter(isHeldByBuyer);
      return [_id, new Set([...sales, ...sent].map(({ buyer_id }) => buyer_id))];
    }),
  );
}

/** A delivery that was never answered stays with its buyer while it is sent again. */
const isHeldByBuyer = (row: DeliveryDoc): boolean =>
  row.state === 'accepted' ||
  isUnknown(row) ||
  (row.state === 'sending' && row.unanswered === true);
