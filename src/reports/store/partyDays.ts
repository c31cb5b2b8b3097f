/** The sums of single days of some buyers or suppliers, over all campaigns. */
import type { Collection, Document } from 'mongodb';
import type { Micros } from '../../fields/money.js';
import type { CountedStatus } from '../../leads/rules/contribution.js';
import type { RollupDoc } from './rollupDocs.js';

export interface PartyScope {
  org_id: string;
  side: 'buyer' | 'supplier';
  ids: readonly string[];
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
}

/** The leads of one status on one day. */
export interface PartyDaySum {
  id: string;
  day: string;
  status: CountedStatus;
  leads: number;
  sales: number;
  revenue: Micros;
  cost: Micros;
}

const SUMMED = ['leads', 'sales', 'revenue', 'cost'] as const;

/** A day without leads is absent. */
export const sumPartyDays = (
  rollups: Collection<RollupDoc>,
  { org_id, side, ids, from, to }: PartyScope,
): Promise<PartyDaySum[]> => {
  const party = `${side}_id`;
  const sums = SUMMED.map((name): [string, Document] => [name, { $sum: `$by.v.${name}` }]);
  return rollups
    .aggregate<PartyDaySum>(
      [
        {
          $match: {
            org_id,
            [party]: { $in: [...ids] },
            facet: side,
            day: { $gte: from, $lte: to },
          },
        },
        { $project: { id: `$${party}`, day: 1, by: { $objectToArray: '$by_status' } } },
        { $unwind: '$by' },
        {
          $group: {
            _id: { id: '$id', day: '$day', status: '$by.k' },
            ...Object.fromEntries(sums),
          },
        },
        {
          $project: {
            _id: 0,
            id: '$_id.id',
            day: '$_id.day',
            status: '$_id.status',
            ...Object.fromEntries(SUMMED.map((name) => [name, 1])),
          },
        },
      ],
      { hint: { org_id: 1, [party]: 1, facet: 1, day: 1 } },
    )
    .toArray();
};
