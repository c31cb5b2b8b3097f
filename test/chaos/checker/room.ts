/**
 * Budgets where a buyer's answer names the price. When a lead is sent there is room for the link's price in addition
 * to all that is recorded; the answer's price counts from then on, and a dearer one may exceed the budget by the
 * difference. So no lead may be sent when the prices named by then left no room for its own.
 */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Micros } from '../../../src/fields/money.js';
import type { Instant, Violation } from '../evidence/evidence.js';
import { sendersWereStruck } from './around.js';
import { isSold, type Facts, type Property } from './facts.js';
import { createShares, roomOf, windowsOf } from './links.js';

export const room: Property = (facts) =>
  [...Map.groupBy(sales(facts), ({ where }) => where).values()].flatMap(judge);

interface Sale {
  lead: Lead;
  /** The counter and its window. */
  where: string;
  budget: Micros;
  /** The latest time when it had its room, and the time from which the named price counts. */
  sentAt: Instant;
  bookedAt: Instant;
  reserved: Micros;
  booked: Micros;
  /** How much later each can reach the counter, in milliseconds. */
  slack: number;
}

function sales(facts: Facts): Sale[] {
  const sharesOf = createShares(facts);
  return facts.evidence.record.leads.filter(isSold).flatMap((lead) =>
    lead.sales.flatMap(({ attempt, buyer_id, at }) => {
      const row = facts.rowsOf(lead._id).find(({ n }) => n === attempt);
      if (!row) return [];
      return sharesOf(lead, buyer_id, row)
        .filter(({ of }) => of.named)
        .flatMap(({ of, reserved, amount: booked }) =>
          windowsOf(row, of).flatMap(({ window, key }): Sale[] => {
            const { amount: budget } = roomOf(of.limits, { window, key });
            if (budget === Infinity) return [];
            const [sentAt, bookedAt] = [row.created_at.getTime(), at.getTime()];
            const where = `${of.id} ${window} ${key}`;
            const slack = slackOf(sentAt, bookedAt, facts);
            return [{ lead, where, budget, sentAt, bookedAt, reserved, booked, slack }];
          }),
        );
    }),
  );
}

/**
 * Between the reservation and its row, and between a sale and its counter, in milliseconds: updates take 3 s at most.
 */
const WRITTEN_WITHIN_MS = 10_000;
/** `reconcile` mends the counter of a run that died in between: after two minutes, in its next round. */
const MENDED_WITHIN_MS = 190_000;

/** Longer only for a sale whose sender may have died while it sent the lead or recorded the sale. */
const slackOf = (sentAt: Instant, bookedAt: Instant, { faults }: Facts): number =>
  sendersWereStruck(faults, sentAt - WRITTEN_WITHIN_MS, bookedAt + WRITTEN_WITHIN_MS)
    ? MENDED_WITHIN_MS
    : WRITTEN_WITHIN_MS;

function judge(own: readonly Sale[]): Violation[] {
  const heldFrom = ({ sentAt, slack }: Sale): Instant => sentAt + slack;
  const knownFrom = ({ bookedAt, slack }: Sale): Instant => bookedAt + slack;
  const byHold = own.toSorted((a, b) => heldFrom(a) - heldFrom(b));
  const byBooking = own.toSorted((a, b) => knownFrom(a) - knownFrom(b));
  let [begun, known, taken] = [0, 0, 0];
  for (const sale of own.toSorted((a, b) => a.sentAt - b.sentAt)) {
    const { lead, where, budget, sentAt, reserved } = sale;
    for (let one = byHold[begun]; one && heldFrom(one) < sentAt; one = byHold[begun]) {
      taken += Math.min(one.reserved, one.booked);
      begun += 1;
    }
    for (let one = byBooking[known]; one && knownFrom(one) < sentAt; one = byBooking[known]) {
      taken += one.booked - Math.min(one.reserved, one.booked);
      known += 1;
    }
    if (taken + reserved <= budget) continue;
    const what = `lead ${lead._id} was sent although ${taken} micros were taken in ${where}, which leaves no room for ${reserved}: the budget is ${budget}`;
    return [{ total: 'over cap', rule: 'sent_without_room', what, lead_id: lead._id }];
  }
  return [];
}
