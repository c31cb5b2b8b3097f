/** Stores the attempts of past days, in the background: reading them then costs one document per day. */
import type { BuyerDoc } from '../account/store/accountDocs.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import { windowKeys } from '../fields/windowKeys.js';
import { createPace } from '../lib/pace.js';
import { insertNew } from '../platform/mongo/insertNew.js';
import { advanceSpan, keepDay } from './advanceSpan.js';
import type { AttemptDeps } from './attemptDays.js';
import { findTimeZones } from './countBatches.js';
import { dropDays, type BuyerDay } from './store/attemptDays.js';

const AT_ONCE = 1_000;
/** Another process takes over what this one has claimed and not finished in this time. */
const LEASE_MS = 60_000;
/** Attempts of one day often change one after the other: the delay lets one recount cover many of them. */
const REST_MS = 60_000;

export interface KeepDeps extends AttemptDeps {
  /** True once the process is stopping. */
  stopping: () => boolean;
  /** Rests between the parts of a day; default: for that time. */
  pause?: (ms: number) => Promise<unknown>;
}

/** Buyers whose days are not stored yet become due at once. */
export async function enrollBuyers(deps: AttemptDeps): Promise<void> {
  const { buyers } = deps.collections;
  let last = '';
  for (;;) {
    const some = await buyers
      .find({ _id: { $gt: last } }, { projection: { org_id: 1 } })
      .sort({ _id: 1 })
      .limit(AT_ONCE)
      .toArray();
    const end = some.at(-1);
    if (!end) return;
    await enrollMissing(some, deps);
    last = end._id;
  }
}

async function enrollMissing(
  buyers: readonly Pick<BuyerDoc, '_id' | 'org_id'>[],
  { collections: { attemptSpans }, clock }: AttemptDeps,
): Promise<void> {
  const ids = buyers.map(({ _id }) => _id);
  const known = await attemptSpans
    .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
    .toArray();
  const isKnown = new Set(known.map(({ _id }) => _id));
  const missing = buyers.filter(({ _id }) => !isKnown.has(_id));
  const due_at = clock.now();
  await insertNew(
    attemptSpans,
    missing.map(({ _id, org_id }) => ({ _id, org_id, days: null, due_at })),
  );
}

/**
 * Days with late changes first: their stored sums are dropped, and soon counted again. Then days that are over.
 * @returns the number of days that were worked on
 */
export async function advanceAttemptDays(
  deps: KeepDeps,
  { withinMs }: { withinMs: number },
): Promise<number> {
  const until = deps.clock.monotonic() + withinMs;
  const hasTime = () => !deps.stopping() && deps.clock.monotonic() < until;
  while (hasTime() && (await dropChangedDays(deps)) > 0);
  let days = 0;
  while (hasTime() && (await workOnDay(deps))) days++;
  return days;
}

/**
 * Works on the longest due day, or else buyer: claimed for this process alone until the lease ends.
 * @returns false when none is due
 */
async function workOnDay(deps: KeepDeps): Promise<boolean> {
  const { attemptDays, attemptSpans } = deps.collections;
  const pace = createPace(deps, deps.pause);
  const now = deps.clock.now();
  const lease = new Date(Number(now) + LEASE_MS);
  const stale = await attemptDays.findOneAndUpdate(
    { stale_at: { $lte: now } },
    { $set: { stale_at: lease } },
    { sort: { stale_at: 1 } },
  );
  if (stale) {
    await keepDay(deps, stale, pace);
    return true;
  }
  const span = await attemptSpans.findOneAndUpdate(
    { due_at: { $lte: now } },
    { $set: { due_at: lease } },
    { sort: { due_at: 1 } },
  );
  if (span) await advanceSpan(deps, span, pace);
  return span !== null;
}

type ChangedAttempt = Pick<DeliveryDoc, '_id' | 'org_id' | 'buyer_id' | 'created_at' | 'changes'>;

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
  const days = await listDays(changed, now, collections);
  await dropDays(collections, days, new Date(Number(now) + REST_MS));
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
async function listDays(
  changed: readonly ChangedAttempt[],
  now: Date,
  collections: AttemptDeps['collections'],
): Promise<BuyerDay[]> {
  const zones = await findTimeZones(changed, collections);
  const days = changed.flatMap(({ org_id, buyer_id, created_at }) => {
    const zone = zones.get(org_id) ?? 'UTC';
    const { day } = windowKeys(created_at, zone);
    const key = `${buyer_id}:${day}`;
    return day < windowKeys(now, zone).day ? [[key, { org_id, buyer_id, day }] as const] : [];
  });
  return [...new Map(days).values()];
}
