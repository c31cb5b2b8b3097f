/** The sums of single days of some buyers or suppliers, over all campaigns. */
import type { Collection } from 'mongodb';
import type { CountedStatus } from '../../leads/rules/contribution.js';
import { LINE_NAMES, type LineSums } from '../rules/rollups.js';
import type { RollupDoc } from './rollupDocs.js';
import { sumByStatus } from './statusSums.js';

export interface PartyScope {
  org_id: string;
  side: 'buyer' | 'supplier';
  ids: readonly string[];
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
}

/** The leads of one status on one day. */
export interface PartyDaySum extends LineSums {
  id: string;
  day: string;
  status: CountedStatus;
}

/** A day without leads is absent. */
export async function sumPartyDays(
  rollups: Collection<RollupDoc>,
  { org_id, side, ids, from, to }: PartyScope,
): Promise<PartyDaySum[]> {
  const party = `${side}_id`;
  const { rows } = await sumByStatus(rollups, {
    match: { org_id, [party]: { $in: [...ids] }, facet: side, day: { $gte: from, $lte: to } },
    keys: { id: `$${party}`, day: '$day' },
    names: LINE_NAMES,
    hint: { org_id: 1, [party]: 1, facet: 1, day: 1 },
  });
  return rows.map(({ keys, ...sums }) => ({
    ...sums,
    id: String(keys.id),
    day: String(keys.day),
  }));
}
