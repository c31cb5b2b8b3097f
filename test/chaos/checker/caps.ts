/** No cap and no budget is ever exceeded: judged by the record's sales and by the buyers' own journals. */
import { hasCaps } from '../../../src/account/rules/capLimits.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Instant, Violation } from '../evidence/evidence.js';
import { isSold, type Facts, type Property } from './facts.js';
import { createShares, roomOf, windowsOf } from './links.js';

export const caps: Property = (facts) => [
  ...overCap(sales(facts), 'sold_over_cap', 'sold', facts),
  ...overCap(takings(facts), 'taken_over_cap', 'taken by the buyer', facts),
];

interface Event {
  at: Instant;
  lead: Lead;
  buyerId: string;
  row: DeliveryDoc | undefined;
}

function sales({ evidence, rowsOf }: Facts): Event[] {
  return evidence.record.leads.filter(isSold).flatMap((lead) =>
    lead.sales.map((sale): Event => {
      const row = rowsOf(lead._id).find(({ n }) => n === sale.attempt);
      return { at: sale.at.getTime(), lead, buyerId: sale.buyer_id, row };
    }),
  );
}

/** Leads that buyers accepted, sold or still unknown; an abandoned or expired row has released its reservation. */
function takings({ requests, leads, rowWith }: Facts): Event[] {
  const seen = new Set<string>();
  return requests.flatMap((request): Event[] => {
    const { at, buyer_id: buyerId, lead_id } = request;
    const lead = leads.get(lead_id);
    const pair = `${lead_id} ${buyerId}`;
    if (request.decision !== 'accepted' || !lead || seen.has(pair)) return [];
    seen.add(pair);
    const row = rowWith(lead_id, buyerId);
    if (row?.state === 'abandoned' || row?.state === 'expired') return [];
    return [{ at, lead, buyerId, row }];
  });
}

interface Tally {
  count: number;
  amount: number;
}

/** Adds up in order of time, and names the first lead over the cap in each window. */
function overCap(events: readonly Event[], rule: string, how: string, facts: Facts): Violation[] {
  const sharesOf = createShares(facts);
  const tallies = new Map<string, Tally>();
  const told = new Set<string>();
  const found: Violation[] = [];
  for (const { lead, buyerId, row } of events.toSorted((a, b) => a.at - b.at)) {
    for (const { of, leads, amount, reserved } of sharesOf(lead, buyerId, row)) {
      if (!hasCaps(of.limits)) continue;
      for (const { window, key } of windowsOf(row, of)) {
        const id = `${of.id} ${window} ${key}`;
        const tally = tallies.get(id) ?? { count: 0, amount: 0 };
        tallies.set(id, tally);
        tally.count += leads;
        // A dearer answer than the link's may pass a budget by the difference: see `room.ts`.
        tally.amount += Math.min(amount, reserved);
        const room = roomOf(of.limits, { window, key });
        if ((tally.count <= room.count && tally.amount <= room.amount) || told.has(id)) continue;
        told.add(id);
        const what = `lead ${lead._id} is ${how} in ${id}, which makes ${tally.count} leads, ${tally.amount} micros; the limit is ${room.count} leads, ${room.amount} micros`;
        found.push({ total: 'over cap', rule, what, lead_id: lead._id });
      }
    }
  }
  return found;
}
