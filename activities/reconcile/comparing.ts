/** Comparing the sums of a day with what they were counted from: the same for leads and for pings. */
import { dayAfter, startOfDay } from '../../src/domain/days.js';
import type { RollDeps, Tally } from '../../src/rollups/countBatches.js';
import type { RollupBatch } from '../../src/store/rollupDocs.js';
import type { RollupStore } from '../../src/store/rollups.js';

/** Days that are due, of one run of `reconcile`. */
export const DAYS_PER_RUN = 50;
/** A day rests so many times as long as its counting took, and at least ten minutes. */
const REST_FACTOR = 500;
const REST_MS = 600_000;
/** Of which a repair is written at once. */
const MARK_AT_ONCE = 1_000;

/** How long a day rests after a comparison that took so long, in milliseconds. */
export const restAfter = (tookMs: number): number => Math.max(REST_MS, tookMs * REST_FACTOR);

/** The instants of a day of the organisation; `to` is that of the next day. */
export async function spanOf(
  { org_id, day }: { org_id: string; day: string },
  { orgs }: Pick<RollDeps['collections'], 'orgs'>,
): Promise<{ from: Date; to: Date }> {
  const org = await orgs.findOne({ _id: org_id });
  const timeZone = org?.time_zone ?? 'UTC';
  return { from: startOfDay(day, timeZone), to: startOfDay(dayAfter(day), timeZone) };
}

interface Counted<C> {
  _id: string;
  uncounted?: true;
  counted?: { contribution: C | null };
}

interface Recounting<One, C, Row> extends Tally<One, C, Row> {
  isSame: (a: C | null, b: C | null) => boolean;
  /** Marks those that nobody has marked yet; returns how many. */
  mark: (ids: readonly string[]) => Promise<number>;
}

/** What they say that the sums hold of them; one that is counted wrongly is marked. */
export async function addUp<One extends Counted<C>, C, Row>(
  list: AsyncIterable<One>,
  { contributionOf, isSame, add, mark }: Recounting<One, C, Row>,
): Promise<{ rows: Map<string, Row>; missed: number }> {
  const rows = new Map<string, Row>();
  let missed = 0;
  let marks: string[] = [];
  const markAll = async (): Promise<void> => {
    if (marks.length === 0) return;
    missed += await mark(marks);
    marks = [];
  };
  for await (const one of list) {
    const counted = one.counted?.contribution ?? null;
    add(rows, one, counted, 1);
    if (!one.uncounted && !isSame(counted, contributionOf(one))) marks.push(one._id);
    if (marks.length >= MARK_AT_ONCE) await markAll();
  }
  await markAll();
  return { rows, missed };
}

/** The update that marks what is to be counted again. */
export const MARKED = { $set: { uncounted: true as const }, $inc: { changes: 1 } };

/**
 * Corrects what is wrong.
 * @param seq the number that was the latest before anything was counted
 * @param repair null: nothing is wrong
 * @returns false when something was counted meanwhile, which spoils the comparison: the next run makes it again
 */
export const corrected = (
  store: RollupStore,
  seq: number,
  repair: RollupBatch | null,
): Promise<boolean> => (repair ? store.commit(seq, repair) : store.isStill(seq));
