/** Attempts that changed when their day was already stored: the stored sums of that day are no longer valid. */
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AttemptDeps } from './attemptDays.js';
import { timeZones } from './countBatches.js';
import { createAttemptDayStore, type BuyerDay } from './store/attemptDays.js';

type ChangedAttempt = Pick<DeliveryDoc, '_id' | 'org_id' | 'buyer_id' | 'created_at' | 'changes'>;

const AT_ONCE = 1_000;
/** Attempts of one day often change one after the other: the delay lets one recount cover many of them. */
const REST_MS = 60_000;

/**
 * Drops the stored sums of the days of changed attempts, and removes their marks. Safe in parallel, and after an
 * interruption at any point: a mark is removed after its day, and stays if the attempt has changed again.
 * @returns the number of attempts; more may be left
 */
export async function dropChangedDays({ collections, clock }: AttemptDeps): Promise<number> {
  const { deliveries } = collections;
  const changed = await deliveries
    .find({ uncounted: true })
    .project<ChangedAttempt>({ org_id: 1, buyer_id: 1, created_at: 1, changes: 1 })
    .limit(AT_ONCE)
    .toArray();
  if (changed.length === 0) return 0;
  const now = clock.now();
  const days = await daysOf(changed, now, collections);
  await createAttemptDayStore(collections).drop(days, new Date(Number(now) + REST_MS));
  const marks = [...Map.groupBy(changed, ({ changes = 0 }) => changes)].map(([changes, alike]) => ({
    updateMany: {
      filter: { _id: { $in: alike.map(({ _id }) => _id) }, changes },
      update: { $unset: { uncounted: true as const } },
    },
  }));
  await deliveries.bulkWrite(marks, { ordered: false });
  return changed.length;
}

/** Each day once. A day that is not over is not stored anywhere, and is counted after its attempts have changed. */
async function daysOf(
  changed: readonly ChangedAttempt[],
  now: Date,
  collections: AttemptDeps['collections'],
): Promise<BuyerDay[]> {
  const zones = await timeZones(changed, collections);
  const days = changed.flatMap(({ org_id, buyer_id, created_at }) => {
    const zone = zones.get(org_id) ?? 'UTC';
    const { day } = windowKeys(created_at, zone);
    const key = `${buyer_id}:${day}`;
    return day < windowKeys(now, zone).day ? [[key, { org_id, buyer_id, day }] as const] : [];
  });
  return [...new Map(days).values()];
}
