/** Counts changes batch by batch: the same for leads and for pings. */
import type { Clock } from '../lib/clock.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { PingCollections } from '../pings/store/collections.js';
import type { ReportCollections } from './store/collections.js';
import type { CountedItem, Counting, RollupBatch } from './store/rollupDocs.js';
import { createRollupStore } from './store/rollups.js';

export interface RollDeps {
  collections: Pick<
    AccountCollections & LeadCollections & PingCollections & ReportCollections,
    'orgs' | 'leads' | 'pings' | 'rollups' | 'pingRollups' | 'rollupState'
  >;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

export interface RollOptions {
  /** Only changes of this organization. */
  orgId?: string;
  /** Milliseconds after which no batch is begun. */
  withinMs: number;
}

/** Maximum changed leads or pings read at once. */
export const BATCH_MAX = 1_000;

/** How leads, or pings, are counted: from what has changed to the batch that is stored. */
export interface Rolled<One extends Countable<C>, C, Row> extends Tally<One, C, Row> {
  counting: Counting;
  /** Returns items of the organization, or of any, that have changed: at most `BATCH_MAX`. */
  findUncounted: (collections: RollDeps['collections'], orgId?: string) => Promise<One[]>;
  /** The parts that an item adds to the document of a batch. */
  partsOf: (one: One) => readonly unknown[];
  /** Maximum parts of a batch, without its last item: its document stays far below MongoDB's limit. */
  partsMax: number;
  /** The rows that are not zero. */
  nonZero: (rows: Map<string, Row>) => Row[];
  /** `a` minus `b`, without zeros. */
  difference: (a: readonly Row[], b: readonly Row[]) => Row[];
  /** True when both contributions add the same. */
  isSame: (a: C | null, b: C | null) => boolean;
  placeKey: (row: Row) => string;
  buildBatch: (rows: StoredRow<Row>[], counted: CountedItem<C>[]) => RollupBatch;
}

/** A row of a day and campaign, under the id of its sum. */
type StoredRow<Row> = Row & DayOf & { _id: string };

export interface Counted {
  /** The number of items counted here. */
  count: number;
  /** The latest batch before the last look: all that had changed then is in it or before it, unless the time was over. */
  seq: number;
  /** False: the time was over before nothing was left. */
  isDone: boolean;
}

/**
 * Counts what has changed until nothing is left or the time is over. Safe in parallel, and after an interruption at any
 * point.
 */
export async function countBatches<One extends Countable<C>, C, Row>(
  rolled: Rolled<One, C, Row>,
  deps: RollDeps,
  { orgId, withinMs }: RollOptions,
): Promise<Counted> {
  const { collections, clock } = deps;
  const store = createRollupStore(deps, rolled.counting);
  const until = clock.monotonic() + withinMs;
  let count = 0;
  for (;;) {
    const after = await store.settled();
    const found = await rolled.findUncounted(collections, orgId);
    if (found.length === 0) return { count, seq: after, isDone: true };
    const some = takeFitting(found, rolled.partsOf, rolled.partsMax);
    const { days, counted } = tallyByDay(some, await findTimeZones(some, collections), rolled);
    const rows = days.flatMap((one) => buildChanges(one.day, rolled.nonZero(one.rows), rolled));
    if (await store.commit(after, rolled.buildBatch(rows, counted))) count += some.length;
    if (clock.monotonic() >= until) return { count, seq: after, isDone: false };
  }
}

/** What a batch adds to the sums of one day and campaign. */
export const buildChanges = <Row>(
  day: DayOf,
  rows: readonly Row[],
  { placeKey }: { placeKey: (row: Row) => string },
): StoredRow<Row>[] =>
  rows.map((row) => ({ _id: `${day.campaign_id}:${day.day}:${placeKey(row)}`, ...day, ...row }));

/** The first items up to `most` parts, not counting those of the last item: a batch is one document of limited size. */
function takeFitting<T>(
  list: readonly T[],
  partsOf: (one: T) => readonly unknown[],
  most: number,
): T[] {
  let parts = 0;
  return list.filter((one) => {
    const fits = parts < most;
    parts += partsOf(one).length;
    return fits;
  });
}

/** The time zones of the items' organizations. */
export async function findTimeZones(
  list: readonly { org_id: string }[],
  { orgs }: Pick<RollDeps['collections'], 'orgs'>,
): Promise<Map<string, string>> {
  const ids = [...new Set(list.map(({ org_id }) => org_id))];
  const found = await orgs.find({ _id: { $in: ids } }).toArray();
  return new Map(found.map(({ _id, time_zone }) => [_id, time_zone]));
}

/** Identifies the sums of a day. */
export interface DayOf {
  org_id: string;
  campaign_id: string;
  day: string;
}

/** The fields of a lead or ping that show where it is counted and what the sums include of it. */
export interface Countable<C> {
  _id: string;
  org_id: string;
  campaign_id: string;
  created_at: Date;
  changes?: number;
  counted?: { contribution: C | null };
}

/** What items add to the sums. */
export interface Tally<One, C, Row> {
  contributionOf: (one: One, timeZone: string) => C | null;
  add: (rows: Map<string, Row>, one: One, contribution: C | null, sign: 1 | -1) => void;
}

/**
 * What a batch adds to the sums of each day and campaign: each item's contribution, minus what the sums include of it.
 * @param zones time zones of the organizations
 */
export function tallyByDay<One extends Countable<C>, C, Row>(
  list: readonly One[],
  zones: ReadonlyMap<string, string>,
  { contributionOf, add }: Tally<One, C, Row>,
) {
  const days = new Map<string, { day: DayOf; rows: Map<string, Row> }>();
  const counted = list.map((one): CountedItem<C> => {
    const { org_id, campaign_id } = one;
    const timeZone = zones.get(org_id) ?? 'UTC';
    const { day } = windowKeys(one.created_at, timeZone);
    const key = `${campaign_id}:${day}`;
    const { rows } = days.get(key) ?? { rows: new Map<string, Row>() };
    days.set(key, { day: { org_id, campaign_id, day }, rows });
    const contribution = contributionOf(one, timeZone);
    add(rows, one, one.counted?.contribution ?? null, -1);
    add(rows, one, contribution, 1);
    return { _id: one._id, changes: one.changes ?? 0, contribution };
  });
  return { days: [...days.values()], counted };
}
