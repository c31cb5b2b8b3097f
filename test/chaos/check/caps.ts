/** No cap and no budget is passed, at no moment: judged by the record's sales and by the buyers' own journals. */
import { hasCaps } from '../../../src/domain/caps.js';
import type { Lead } from '../../../src/domain/lead.js';
import type { DeliveryDoc } from '../../../src/store/collections.js';
import type { Instant, Violation } from '../evidence.js';
import type { Facts, Property } from './facts.js';
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
  return evidence.record.leads.flatMap((lead): Event[] => {
    if (lead.status !== 'ACCEPTED' || lead.buyer_id === null) return [];
    const buyerId = lead.buyer_id;
    const rows = rowsOf(lead._id).filter((row) => row.buyer_id === buyerId);
    const row = rows.find(({ state }) => state === 'accepted') ?? rows.at(-1);
    return [{ at: lead.decided_at?.getTime() ?? 0, lead, buyerId, row }];
  });
}

/** What buyers took, sold or not yet known to be; what was given up there has given its slot back. */
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

/** Adds up in the order of time, and names the first lead that was one too many in each window. */
function overCap(events: readonly Event[], rule: string, how: string, facts: Facts): Violation[] {
  const sharesOf = createShares(facts);
  const tallies = new Map<string, Tally>();
  const told = new Set<string>();
  const found: Violation[] = [];
  for (const { lead, buyerId, row } of events.toSorted((a, b) => a.at - b.at)) {
    for (const { of, amount } of sharesOf(lead, buyerId)) {
      if (!hasCaps(of.limits)) continue;
      for (const { window, key } of windowsOf(row)) {
        const id = `${of.id} ${window} ${key}`;
        const tally = tallies.get(id) ?? { count: 0, amount: 0 };
        tallies.set(id, tally);
        tally.count += 1;
        tally.amount += amount;
        const room = roomOf(of.limits, window);
        if ((tally.count <= room.count && tally.amount <= room.amount) || told.has(id)) continue;
        told.add(id);
        const what = `lead ${lead._id} is the ${tally.count}. ${how} in ${id}, ${tally.amount} micros in all; the limit is ${room.count} leads, ${room.amount} micros`;
        found.push({ total: 'over cap', rule, what, lead_id: lead._id });
      }
    }
  }
  return found;
}
