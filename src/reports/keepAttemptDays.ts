/** Stores the attempts of past days, in the background: reading them then costs one document per day. */
import type { BuyerDoc } from '../account/store/accountDocs.js';
import type { Log } from '../lib/log.js';
import { createPace } from '../lib/pace.js';
import { repeatInBackground } from '../lib/repeatInBackground.js';
import { advanceSpan, claimSpan, leaseEnd } from './advanceSpan.js';
import type { AttemptDeps } from './attemptDays.js';
import { dropChangedDays } from './changedAttempts.js';
import { timeZoneOf } from './countBatches.js';
import { keepAttemptDay } from './keepAttemptDay.js';
import type { AttemptDayDoc } from './store/attemptDayDocs.js';

const TURN_INTERVAL_MS = 3_000;
/** Milliseconds into a turn after which no further day is begun; the next turn continues. */
const TURN_MS = 2_500;
/** Milliseconds between searches for new buyers: until then their few attempts are counted. */
const ENROLL_INTERVAL_MS = 600_000;
const BUYERS_AT_ONCE = 1_000;

export interface KeepDeps extends AttemptDeps {
  /** True once the process is stopping. */
  stopping: () => boolean;
  /** Rests between the parts of a day; default: for that time. */
  pause?: (ms: number) => Promise<unknown>;
}

/**
 * A turn every three seconds, in any number of processes.
 * @returns a function that stops it, and resolves when the current turn is over
 */
export function keepAttemptDays(deps: KeepDeps & { log: Log }): () => Promise<void> {
  let enrolled = -Infinity;
  const advance = async () => {
    if (deps.clock.monotonic() - enrolled > ENROLL_INTERVAL_MS) {
      await enrollBuyers(deps);
      enrolled = deps.clock.monotonic();
    }
    await advanceAttemptDays(deps, { withinMs: TURN_MS });
  };
  return repeatInBackground(TURN_INTERVAL_MS, () =>
    advance().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'attempts of days that are over could not be counted');
    }),
  );
}

/** Buyers whose days are not stored yet become due at once. */
export async function enrollBuyers(deps: AttemptDeps): Promise<void> {
  const { buyers } = deps.collections;
  let last = '';
  for (;;) {
    const some = await buyers
      .find({ _id: { $gt: last } }, { projection: { org_id: 1 } })
      .sort({ _id: 1 })
      .limit(BUYERS_AT_ONCE)
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
  const operations = missing.map(({ _id, org_id }) => ({
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { org_id, days: null, due_at: clock.now() } },
      upsert: true,
    },
  }));
  if (operations.length > 0) await attemptSpans.bulkWrite(operations, { ordered: false });
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

async function workOnDay(deps: KeepDeps): Promise<boolean> {
  const pace = createPace(deps, deps.pause);
  const stale = await claimStale(deps);
  if (stale) {
    const time_zone = await timeZoneOf(stale, deps.collections);
    await keepAttemptDay(deps, { ...stale, time_zone }, pace);
    return true;
  }
  const span = await claimSpan(deps);
  if (span) await advanceSpan(deps, span, pace);
  return span !== null;
}

/** Claims a day for this process alone until the lease ends. */
function claimStale({ collections, clock }: AttemptDeps): Promise<AttemptDayDoc | null> {
  const now = clock.now();
  return collections.attemptDays.findOneAndUpdate(
    { stale_at: { $lte: now } },
    { $set: { stale_at: leaseEnd(now) } },
    { sort: { stale_at: 1 } },
  );
}
