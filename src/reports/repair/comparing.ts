/** Comparing the sums of a day with what they were counted from: the same for leads and for pings. */
import { dayAfter, startOfDay } from '../../fields/days.js';
import { timeZoneOf, type RollDeps, type Tally } from '../countBatches.js';
import type { RollupBatch } from '../store/rollupDocs.js';
import type { RollupStore } from '../store/rollups.js';
import type { Pace } from '../../lib/pace.js';

/** Days that are due, of one run of `reconcile`. */
export const DAYS_PER_RUN = 50;
/** No further day is begun after so long, in milliseconds. */
export const DAYS_MS = 8_000;
/** A day rests so many times as long as its counting took, and at least ten minutes. */
const REST_FACTOR = 500;
const REST_MS = 600_000;
/** Of which a repair is written at once. */
const MARK_AT_ONCE = 1_000;
/** How often a repair is tried that others are faster than. */
const REPAIR_TRIES = 5;

/** How long a day rests after a comparison that took so long, in milliseconds. */
export const restAfter = (tookMs: number): number => Math.max(REST_MS, tookMs * REST_FACTOR);

/** The instants of a day of the organization; `to` is that of the next day. */
export async function spanOf(
  { org_id, day }: { org_id: string; day: string },
  collections: Pick<RollDeps['collections'], 'orgs'>,
): Promise<{ from: Date; to: Date }> {
  const timeZone = await timeZoneOf({ org_id }, collections);
  return { from: startOfDay(day, timeZone), to: startOfDay(dayAfter(day), timeZone) };
}

interface Counted<C> {
  _id: string;
  uncounted?: true;
  counted?: { seq: number; contribution: C | null };
}

interface Recounting<One, C, Row> extends Tally<One, C, Row> {
  isSame: (a: C | null, b: C | null) => boolean;
  /** Marks those that nobody has marked yet; returns how many. */
  mark: (ids: readonly string[]) => Promise<number>;
  pace: Pick<Pace, 'step'>;
}

/**
 * What they say that the sums hold of them, and the number of the last batch that any of them names; one that is counted
 * wrongly is marked.
 */
export async function addUp<One extends Counted<C>, C, Row>(
  list: AsyncIterable<One>,
  { contributionOf, isSame, add, mark, pace }: Recounting<One, C, Row>,
): Promise<{ rows: Map<string, Row>; missed: number; latest: number }> {
  const rows = new Map<string, Row>();
  let missed = 0;
  let latest = 0;
  let marks: string[] = [];
  const markAll = async (): Promise<void> => {
    if (marks.length === 0) return;
    missed += await mark(marks);
    marks = [];
  };
  for await (const one of list) {
    const counted = one.counted?.contribution ?? null;
    latest = Math.max(latest, one.counted?.seq ?? 0);
    add(rows, one, counted, 1);
    if (!one.uncounted && !isSame(counted, contributionOf(one))) marks.push(one._id);
    if (marks.length >= MARK_AT_ONCE) await markAll();
    await pace.step();
  }
  await markAll();
  return { rows, missed, latest };
}

/** The update that marks what is to be counted again. */
export const MARKED = { $set: { uncounted: true as const }, $inc: { changes: 1 } };

interface Comparing<Sum, C extends { latest: number }> {
  store: Pick<RollupStore, 'settled' | 'commit'>;
  /** The sums of the day, as they are stored. */
  read: () => Promise<Sum[]>;
  /** What they should be. Takes a while. */
  count: () => Promise<C>;
  /** The repair; null when nothing is wrong. */
  repairOf: (counted: C, stored: readonly Sum[]) => { batch: RollupBatch; wrong: number } | null;
}

/**
 * Compares a day, and corrects what is wrong. What is counted of other days meanwhile does not matter. A batch changes
 * the sums first, which then name it, and what it counts of next, which names it, too: when no sum was changed and none
 * that was read names a batch that began later, the sums belong to what was read. Batches that the sums name in the
 * beginning are finished before anything is read.
 * @returns how many sums were corrected; null when some were changed meanwhile, which spoils the comparison
 */
export async function compareDay<
  Sum extends { _id: string; seq: number },
  C extends { latest: number },
>({
  store,
  read,
  count,
  repairOf,
}: Comparing<Sum, C>): Promise<{ counted: C; corrected: number | null }> {
  const before = versionOf(await read());
  const first = await store.settled();
  const counted = await count();
  if (counted.latest > first) return { counted, corrected: null };
  for (let tries = 0; tries < REPAIR_TRIES; tries++) {
    const seq = await store.settled();
    const stored = await read();
    if (versionOf(stored) !== before) break;
    const repair = repairOf(counted, stored);
    if (!repair) return { counted, corrected: 0 };
    if (await store.commit(seq, repair.batch)) return { counted, corrected: repair.wrong };
  }
  return { counted, corrected: null };
}

const versionOf = (sums: readonly { _id: string; seq: number }[]): string =>
  sums
    .map(({ _id, seq }) => `${_id} ${seq}`)
    .sort()
    .join();
