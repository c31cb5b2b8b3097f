/** Counts changes batch by batch: the same for leads and for pings. */
import type { Clock } from '../lib/clock.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { PingCollections } from '../pings/store/collections.js';
import type { ReportCollections } from './store/collections.js';
import type { RollupBatch } from './store/rollupDocs.js';
import type { RollupStore } from './store/rollups.js';

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

/** A batch, and the number of leads or pings in it. */
export interface NextBatch {
  batch: RollupBatch;
  size: number;
}

/** Maximum changed leads or pings read at once. */
export const BATCH_MAX = 1_000;

/**
 * Runs until nothing is left or the time is over. Safe in parallel, and after an interruption at any point.
 * @param next null: nothing is left
 * @returns the number counted here
 */
export async function countBatches(
  store: RollupStore,
  clock: Pick<Clock, 'monotonic'>,
  { withinMs }: RollOptions,
  next: () => Promise<NextBatch | null>,
): Promise<number> {
  const until = clock.monotonic() + withinMs;
  let counted = 0;
  do {
    const after = await store.settled();
    const found = await next();
    if (found === null) break;
    if (await store.commit(after, found.batch)) counted += found.size;
  } while (clock.monotonic() < until);
  return counted;
}

/** Filter of what has changed; for one organization, or for any. */
export const selectUncounted = ({ orgId }: RollOptions): { uncounted: true; org_id?: string } => ({
  uncounted: true,
  org_id: orgId,
});

/** The first items up to `most` parts, not counting those of the last item: a batch is one document of limited size. */
export function takeFitting<T>(
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

/** The time zone for the days of an organization; UTC where it is gone. */
export async function findTimeZone(
  one: { org_id: string },
  collections: Pick<RollDeps['collections'], 'orgs'>,
): Promise<string> {
  return (await findTimeZones([one], collections)).get(one.org_id) ?? 'UTC';
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

/** How leads, or pings, are counted. */
export interface Tally<One, C, Row> {
  contributionOf: (one: One) => C | null;
  add: (rows: Map<string, Row>, one: One, contribution: C | null, sign: 1 | -1) => void;
}

/** What a batch adds to the sums of each day and campaign, and the counted items. */
export interface Tallied<C, Row> {
  days: { day: DayOf; rows: Map<string, Row> }[];
  counted: { _id: string; changes: number; contribution: C | null }[];
}

/**
 * What a batch adds to the sums of each day and campaign: each item's contribution, minus what the sums include of it.
 * @param zones time zones of the organizations
 */
export function tallyByDay<One extends Countable<C>, C, Row>(
  list: readonly One[],
  zones: ReadonlyMap<string, string>,
  { contributionOf, add }: Tally<One, C, Row>,
): Tallied<C, Row> {
  const days = new Map<string, { day: DayOf; rows: Map<string, Row> }>();
  const counted = list.map((one) => {
    const { org_id, campaign_id } = one;
    const { day } = windowKeys(one.created_at, zones.get(org_id) ?? 'UTC');
    const key = `${campaign_id}:${day}`;
    const { rows } = days.get(key) ?? { rows: new Map<string, Row>() };
    days.set(key, { day: { org_id, campaign_id, day }, rows });
    const contribution = contributionOf(one);
    add(rows, one, one.counted?.contribution ?? null, -1);
    add(rows, one, contribution, 1);
    return { _id: one._id, changes: one.changes ?? 0, contribution };
  });
  return { days: [...days.values()], counted };
}
