/** Buyers with due rows and no drain that sends them. */
import { unavailableUntil } from '../../deliveries/rules/breaker.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { SellingDeps } from '../deps.js';
import { renewStuck, type RenewDeps } from '../../deliveries/repair/stuckDrains.js';

export interface OverdueBuyersDeps
  extends Pick<SellingDeps, 'clock' | 'wake' | 'destinations'>, RenewDeps {
  collections: Pick<DeliveryCollections, 'deliveries'>;
}

/** A drain that has been due for this long, in milliseconds, and has not begun is lost. */
const OVERDUE_MS = 60_000;
const DESTINATIONS_PER_RUN = 1_000;

/** Buyers with rows that should have been sent, or ended, a while ago. */
export async function wakeOverdueBuyers(deps: OverdueBuyersDeps): Promise<number> {
  const now = Number(deps.clock.now());
  const overdue = await overdueBuyers(deps, new Date(now - OVERDUE_MS));
  const known = await deps.destinations.get([...overdue.keys()]);
  const stuck = [...overdue].filter(([buyerId]) => {
    const doc = known.get(buyerId);
    const rests = unavailableUntil(doc);
    return rests < now - OVERDUE_MS && Number(doc?.last_drain_at ?? 0) < now - OVERDUE_MS;
  });
  for (const [buyerId, orgId] of stuck.slice(0, DESTINATIONS_PER_RUN)) {
    if (await renewStuck({ id: buyerId, orgId }, known.get(buyerId), deps)) continue;
    // The process that set `awake` is gone: without this no process would win the right to wake it.
    await deps.destinations.sleep(buyerId);
    deps.wake([buyerId], orgId);
  }
  return Math.min(stuck.length, DESTINATIONS_PER_RUN);
}

/** The organization of each such buyer. Reads one row per buyer, however long the queues are. */
async function overdueBuyers(
  { collections }: Pick<OverdueBuyersDeps, 'collections'>,
  before: Date,
): Promise<Map<string, string>> {
  const firstOfEach = (state: 'parked' | 'unknown', moment: 'due_at' | 'expires_at') =>
    collections.deliveries
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
  return new Map(
    first
      .flat()
      .filter(({ at }) => at < before)
      .map(({ _id, org_id }) => [_id, org_id]),
  );
}
