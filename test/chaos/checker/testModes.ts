/** A buyer in test mode is sent no live lead, whether it arrived then or had waited. All leads of a run are live. */
import type { Violation } from '../evidence/evidence.js';
import { sendersWereStruck } from './around.js';
import type { Facts, Property } from './facts.js';
import { CHOSEN_WITHIN_MS, pausedIn, pausesOf } from './hours.js';

/**
 * The mode is read when a lead is decided, and read again when another run continues it, or its buyer's queue is
 * drained. A run that had begun before may still go on to this buyer: the time for that is allowed, and no judgment is
 * made where a fault can have made it longer.
 */
export const testModes: Property = ({ requests, leads, buyerLink, faults }: Facts) => {
  const changes = faults.filter(({ type }) => type === 'test_mode');
  if (changes.length === 0) return [];
  const pauses = pausesOf(faults);
  return requests.flatMap(({ at, request, buyer_id, lead_id }): Violation[] => {
    const lead = leads.get(lead_id);
    const link = lead && buyerLink(lead.campaign_id, buyer_id);
    const change = changes.find(
      ({ at: from, ended = Infinity, targets }) =>
        link && targets.includes(link.name) && from <= at && at < ended,
    );
    if (!change) return [];
    const late = at - change.at;
    if (late - pausedIn(pauses, change.at, at) <= CHOSEN_WITHIN_MS) return [];
    if (sendersWereStruck(faults, change.at - CHOSEN_WITHIN_MS, change.at + CHOSEN_WITHIN_MS))
      return [];
    const what = `request ${request} for live lead ${lead_id} reached buyer ${buyer_id}, which had been in test mode for ${late} ms`;
    return [{ total: 'over cap', rule: 'sent_in_test_mode', what, lead_id }];
  });
};
