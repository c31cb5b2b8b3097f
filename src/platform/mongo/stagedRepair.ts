/** A repair that goes once through all records of some collections, in many short runs. */
import type { FindCursor } from 'mongodb';
import type { Clock } from '../../lib/clock.js';
import type { RepairStore } from './repairs.js';

export interface StagedDeps {
  clock: Clock;
  repairs: Pick<RepairStore, 'isDone' | 'done' | 'progress' | 'reached' | 'again'>;
  stopping(): boolean;
}

interface Part {
  /** Null: there are no further records. */
  last: string | null;
  mended: number;
}

/** Goes through some records after this id, in the order of their ids. */
export type Stage = (after: string) => Promise<Part>;

/**
 * A day. As long as processes of the previous release, or with the previous settings, may run, in addition to those of
 * this one or in their place, they must be able to read what is stored.
 */
export const OVERLAP_MS = 86_400_000;
/** No further part is begun after this time: the next run continues. */
const RUN_MS = 3_000;
const BATCH_SIZE = 200;

/**
 * Goes as far as one run gets; the next run continues from there. It begins a day after its first run, and is done once a
 * whole pass has found nothing: the next pass finds what a change under way wrote behind the previous one.
 * Returns the number of records it mended.
 */
export async function runStages(
  name: string,
  stages: readonly Stage[],
  deps: StagedDeps,
): Promise<number> {
  const { repairs, clock } = deps;
  if (await repairs.isDone(name)) return 0;
  let place = await repairs.progress(name, clock.now());
  if (Number(clock.now()) < Number(place.begun_at) + OVERLAP_MS) return 0;
  const until = clock.monotonic() + RUN_MS;
  let mended = 0;
  while (!deps.stopping() && clock.monotonic() < until) {
    const stage = stages[place.stage];
    if (!stage) {
      if (place.mended === 0) await repairs.done(name, clock.now());
      else await repairs.again(name);
      break;
    }
    const part = await stage(place.after);
    mended += part.mended;
    const next =
      part.last === null
        ? { stage: place.stage + 1, after: '' }
        : { stage: place.stage, after: part.last };
    place = await repairs.reached(name, next, part.mended);
  }
  return mended;
}

export const beyond = (after: string) => ({ _id: { $gt: after } });

/** Checks the next records in the order of their ids. */
export async function partOf<T extends { _id: string }>(
  records: FindCursor<T>,
  mend: (record: T) => Promise<number>,
): Promise<Part> {
  const part: Part = { last: null, mended: 0 };
  for await (const record of records.sort({ _id: 1 }).limit(BATCH_SIZE)) {
    part.mended += await mend(record);
    part.last = record._id;
  }
  return part;
}
