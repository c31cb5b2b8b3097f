/** Buyers with due rows and no drain that sends them. */
import {
  overdueBefore,
  wakeOverdue,
  type Drain,
  type RenewDeps,
} from '../../deliveries/repair/stuckDrains.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { SellingDeps } from '../deps.js';

export interface OverdueBuyersDeps extends Pick<SellingDeps, 'wake'>, RenewDeps {
  collections: Pick<DeliveryCollections, 'deliveries'>;
}

/** Buyers with rows that should have been sent, or ended, a while ago. */
export const wakeOverdueBuyers = async (deps: OverdueBuyersDeps): Promise<number> =>
  wakeOverdue(await findOverdueBuyers(deps), (ids, orgId) => deps.wake(ids, orgId), deps);

/** Reads one row per buyer, however long the queues are. */
async function findOverdueBuyers(deps: OverdueBuyersDeps): Promise<Drain[]> {
  const before = overdueBefore(deps);
  const firstOfEach = (state: 'parked' | 'unknown', moment: 'due_at' | 'expires_at') =>
    deps.collections.deliveries
      .aggregate<{ _id: string; org_id: string; at: Date }>([
        { $match: { state } },
        { $sort: { buyer_id: 1, [moment]: 1 } },
        {
          $group: { _id: '$buyer_id', org_id: { $first: '$org_id' }, at: { $first: `$${moment}` } },
        },
      ])
      .toArray();
  const first = await Promise.all([
    firstOfEach('parked', 'due_at'),
    firstOfEach('parked', 'expires_at'),
    firstOfEach('unknown', 'expires_at'),
  ]);
  const overdue = first.flat().filter(({ at }) => at < before);
  return [...new Map(overdue.map(({ _id, org_id }) => [_id, { id: _id, orgId: org_id }])).values()];
}
