/** Compares the sums of a day with the leads or pings that they count. */
import { readTimeZone } from '../../account/orgs.js';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';
import {
  buildChanges,
  type Countable,
  type DayOf,
  type RollDeps,
  type Rolled,
} from '../countBatches.js';
import { spanOfDays } from '../countAttempts.js';
import { createRollupStore } from '../store/rollups.js';
import type { Pace } from '../../lib/pace.js';

/** Maximum days that one run of `reconcile` compares. */
const DAYS_PER_RUN = 50;
/** Milliseconds after which no further day is begun. */
export const DAYS_MS = 8_000;
/** A day is left alone for this many times its counting time, and at least ten minutes. */
const REST_FACTOR = 500;
const REST_MS = 600_000;
/** Items that a repair marks at once. */
const MARK_AT_ONCE = 1_000;
/** Maximum attempts of a repair that other batches keep overtaking. */
const REPAIR_TRIES = 5;

/** How long a day is left alone after a comparison that took `tookMs`, in milliseconds. */
export const restAfter = (tookMs: number): number => Math.max(REST_MS, tookMs * REST_FACTOR);

/** What compares the sums of days with what they count. */
export interface ComparingDeps {
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
}

/** The days of one kind of sums, of a collection. */
interface ComparedDays<D> {
  find(due: { recount_at: { $lte: Date } }): {
    sort(by: { recount_at: 1 }): { limit(most: number): { toArray(): Promise<D[]> } };
  };
  updateOne(day: { _id: string }, rest: { $set: { recount_at: Date } }): Promise<unknown>;
}

/**
 * Compares the due days, the longest overdue first. One that cannot be compared rests, and the others follow.
 * @param runMs milliseconds after which no further day is begun; absent: as other repairs
 * @returns the sum of what `repair` corrected
 */
export async function compareDue<D extends { _id: string }>(
  days: ComparedDays<D>,
  { clock, log }: ComparingDeps,
  repair: (day: D) => Promise<number>,
  runMs?: number,
): Promise<number> {
  const due = await days
    .find({ recount_at: { $lte: clock.now() } })
    .sort({ recount_at: 1 })
    .limit(DAYS_PER_RUN)
    .toArray();
  return workUntilDeadline(due, {
    clock,
    repair,
    runMs,
    failed({ _id }, error) {
      log.warn({ err: error, day: _id }, 'the sums of a day could not be compared');
      const recount_at = new Date(Number(clock.now()) + REST_MS);
      return days.updateOne({ _id }, { $set: { recount_at } });
    },
  });
}

/** The instants at which a day of the organization begins (`from`) and the next day does (`to`), by its time zone. */
export async function findSpan(
  { org_id, day }: { org_id: string; day: string },
  collections: Pick<RollDeps['collections'], 'orgs'>,
): Promise<{ from: Date; to: Date; timeZone: string }> {
  const timeZone = await readTimeZone(collections, org_id);
  return { ...spanOfDays(day, day, timeZone), timeZone };
}

/** An item, and whether and by which batch it is counted. */
interface Counted<C> extends Countable<C> {
  uncounted?: true;
  counted?: { seq: number; contribution: C | null };
}

/** What a day is compared by. */
interface Compared<One, Sum> {
  /** Returns the sums of the day, as they are stored. */
  readSums: () => Promise<Sum[]>;
  /** The leads, or pings, of the day. */
  list: AsyncIterable<One>;
  /** Of their organization. */
  timeZone: string;
  /** Where these are marked. */
  items: {
    updateMany(
      unmarked: { _id: { $in: string[] }; uncounted: { $exists: false } },
      update: typeof MARKED,
    ): Promise<{ modifiedCount: number }>;
  };
  pace: Pick<Pace, 'step'>;
}

/**
 * Compares a day, and corrects wrong sums. Changes of other days meanwhile do not matter. A batch changes
 * the sums first, which then name it, and the items that it counts next, which name it too: when no sum was changed and
 * no item that was read names a batch that began later, the sums belong to the items that were read. Batches that the
 * sums name in the beginning are finished before anything is read.
 * @returns the number of corrected sums, null when some were changed meanwhile, which spoils the comparison; and of items
 * that were counted with a contribution that is no longer theirs
 */
export async function compareDay<
  One extends Counted<C>,
  C,
  Row,
  Sum extends Row & { _id: string; seq: number },
>(
  { org_id, campaign_id, day }: DayOf,
  rolled: Rolled<One, C, Row>,
  compared: Compared<One, Sum>,
  deps: RollDeps,
): Promise<{ corrected: number | null; missed: number }> {
  const { readSums } = compared;
  const store = createRollupStore(deps, rolled.counting);
  const before = versionOf(await readSums());
  const first = await store.settled();
  const { rows, missed, latest } = await addUp(rolled, compared);
  if (latest > first) return { corrected: null, missed };
  for (let tries = 0; tries < REPAIR_TRIES; tries++) {
    const seq = await store.settled();
    const stored = await readSums();
    if (versionOf(stored) !== before) break;
    const wrong = rolled.difference(rolled.nonZero(rows), stored);
    if (wrong.length === 0) return { corrected: 0, missed };
    const changes = buildChanges({ org_id, campaign_id, day }, wrong, rolled);
    const isCorrected = await store.commit(seq, rolled.buildBatch(changes, []));
    if (isCorrected) return { corrected: wrong.length, missed };
  }
  return { corrected: null, missed };
}

/**
 * Adds up what the items say that the sums include of them, and finds the number of the last batch that any of them
 * names; an item that is counted wrongly is marked.
 */
async function addUp<One extends Counted<C>, C, Row>(
  { contributionOf, isSame, add }: Rolled<One, C, Row>,
  { list, timeZone, items, pace }: Omit<Compared<One, Row>, 'readSums'>,
): Promise<{ rows: Map<string, Row>; missed: number; latest: number }> {
  const rows = new Map<string, Row>();
  let missed = 0;
  let latest = 0;
  let marks: string[] = [];
  const markAll = async (): Promise<void> => {
    if (marks.length === 0) return;
    const unmarked = { _id: { $in: marks }, uncounted: { $exists: false } } as const;
    missed += (await items.updateMany(unmarked, MARKED)).modifiedCount;
    marks = [];
  };
  for await (const one of list) {
    const counted = one.counted?.contribution ?? null;
    latest = Math.max(latest, one.counted?.seq ?? 0);
    add(rows, one, counted, 1);
    if (!one.uncounted && !isSame(counted, contributionOf(one, timeZone))) marks.push(one._id);
    if (marks.length >= MARK_AT_ONCE) await markAll();
    await pace.step();
  }
  await markAll();
  return { rows, missed, latest };
}

/** Marks items to be counted again. */
const MARKED = { $set: { uncounted: true as const }, $inc: { changes: 1 } };

const versionOf = (sums: readonly { _id: string; seq: number }[]): string =>
  sums
    .map(({ _id, seq }) => `${_id} ${seq}`)
    .sort()
    .join();
