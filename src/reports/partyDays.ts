/** How buyers or suppliers do today and did in the days before: the rows of their lists. */
import { dayAfter } from '../fields/days.js';
import type { Micros } from '../fields/money.js';
import type { RollDeps } from './countBatches.js';
import { readUpToDate } from './reading.js';
import { isSoldStatus } from './rules/rollups.js';
import { sumPartyDays, type PartyDaySum, type PartyScope } from './store/partyDays.js';

/** Days that a list shows, today with them. */
export const DAYS_SHOWN = 7;

export interface PartyDays {
  /** Leads that it sent; of a buyer: that it bought. */
  leads: number;
  accepted: number;
  duplicate: number;
  revenue: Micros;
  cost: Micros;
  /** Leads of each day, the oldest first, today last. */
  week: number[];
}

/** By id; one without leads in these days is absent. Two commands, whatever their number. */
export async function readPartyDays(
  deps: RollDeps,
  { org_id, side, ids }: Pick<PartyScope, 'org_id' | 'side' | 'ids'>,
  today: string,
): Promise<ReadonlyMap<string, PartyDays>> {
  if (ids.length === 0) return new Map();
  const scope = { org_id, side, ids, from: dayAfter(today, 1 - DAYS_SHOWN), to: today };
  const { found: sums } = await readUpToDate(deps, {
    counting: 'leads',
    orgId: org_id,
    read: () => sumPartyDays(deps.collections.rollups, scope),
  });
  const each = Map.groupBy(sums, ({ id }) => id);
  return new Map([...each].map(([id, rows]) => [id, daysOf(rows, side, today)]));
}

/** A lead that several buyers bought is a sale of each. */
function daysOf(rows: readonly PartyDaySum[], side: PartyScope['side'], today: string): PartyDays {
  const counted = side === 'buyer' ? 'sales' : 'leads';
  const add = (key: 'leads' | 'sales' | 'revenue' | 'cost', of: (row: PartyDaySum) => boolean) =>
    rows.reduce((sum, row) => (of(row) ? sum + row[key] : sum), 0);
  const isToday = ({ day }: PartyDaySum): boolean => day === today;
  return {
    leads: add(counted, isToday),
    accepted: add(counted, (row) => isToday(row) && isSoldStatus(row.status)),
    duplicate: add(counted, (row) => isToday(row) && row.status === 'DUPLICATE'),
    revenue: add('revenue', isToday),
    cost: add('cost', isToday),
    week: Array.from({ length: DAYS_SHOWN }, (_, n) => {
      const day = dayAfter(today, n + 1 - DAYS_SHOWN);
      return add(counted, (row) => row.day === day);
    }),
  };
}
