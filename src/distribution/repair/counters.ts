/**
 * Compares counters with their delivery rows. By construction they agree; a record that was
 * restored or edited by hand may not, and a wrong counter would sell too much or too little for ever.
 */
import type { Document, Filter } from 'mongodb';
import { isStray, type WindowCount } from '../../routing/rules/caps.js';
import {
  CALENDAR_WINDOWS,
  CAP_WINDOWS,
  eachWindow,
  type CapScope,
  type CapWindow,
} from '../../account/rules/capLimits.js';
import { windowsIn } from '../../deliveries/rules/rowWindows.js';
import { STORED } from '../../routing/store/capPipelines.js';
import { countersOf, isCountedIn, type CapDoc, type Drift } from '../../routing/store/capDocs.js';
import {
  findBeginnings,
  isInWindow,
  isSoldEarlier,
  type Beginnings,
} from '../../routing/store/movedWindows.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { RoutingCollections } from '../../routing/store/collections.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import { linkOf } from '../../routing/store/caps.js';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import { COUNTED_STATES } from '../../deliveries/store/deliveries.js';
import { DELIVERIES_BY_DAY } from '../../deliveries/store/deliveryIndexes.js';
import type { Log } from '../../lib/log.js';
import type { SellingDeps } from '../deps.js';
import { daysOf } from './rowDays.js';
import { workUntilDeadline } from '../../lib/workUntilDeadline.js';

export interface RecountDeps extends Pick<SellingDeps, 'clock'> {
  collections: Pick<DeliveryCollections & RoutingCollections, 'deliveries' | 'caps'>;
  log: Pick<Log, 'warn'>;
}

const LINKS_PER_RUN = 500;
/**
 * A link is left alone for this many times its counting time, whatever was found: many leads a day cost no more than
 * few, and the counters of a busy link differ from its rows at nearly every check.
 */
const REST_FACTOR = 500;
/** Counting time that is assumed of a link whose comparison failed: it rests a quarter of an hour. */
const FAILED_MS = 1_800;

/**
 * Recounts links, the longest overdue first. A difference is corrected when two checks in a row find the
 * same one, each of them undisturbed. Returns the number of corrected counters.
 */
export async function recount(deps: RecountDeps): Promise<number> {
  const links = await deps.collections.caps
    // Links without a time were never checked.
    .find({ recount_at: { $not: { $gt: deps.clock.now() } } })
    .sort({ recount_at: 1 })
    .limit(LINKS_PER_RUN)
    .toArray();
  return workUntilDeadline(links, {
    clock: deps.clock,
    repair: (link) => recountLink(link, deps),
    failed({ _id }, error) {
      deps.log.warn({ err: error, link: _id }, 'the counters of a link could not be compared');
      return deps.collections.caps.updateOne({ _id }, { $set: rest(FAILED_MS, deps) });
    },
  });
}

/** When a link is next compared, by the time that its comparison took. */
const rest = (tookMs: number, { clock }: Pick<RecountDeps, 'clock'>): { recount_at: Date } => ({
  recount_at: new Date(Number(clock.now()) + tookMs * REST_FACTOR),
});

async function recountLink(link: CapDoc, deps: RecountDeps): Promise<number> {
  const { caps } = deps.collections;
  const started = deps.clock.monotonic();
  const rows = await countOpenWindows(link, deps);
  const again = rest(deps.clock.monotonic() - started, deps);
  if (rows === null) {
    deps.log.warn({ link: link._id }, 'a link has too many rows in a day to compare its counters');
    await caps.updateOne({ _id: link._id }, { $set: again });
    return 0;
  }
  const drift = differenceOf(link, rows);
  const found = await caps.findOne({ _id: link._id });
  const isQuiet = found !== null && sameCounters(found, link);
  const known = link.drift ?? null;
  if (!isQuiet || drift === null || !isSame(drift, known)) {
    const seen = isQuiet ? drift : null;
    await caps.updateOne({ _id: link._id }, { $set: { ...again, drift: seen } });
    return 0;
  }
  const result = await caps.updateOne(unchanged(link), [
    { $set: STORED },
    { $set: { ...moved(drift), drift: null, ...again } },
  ]);
  return result.modifiedCount;
}

interface CountedRows {
  windows: readonly CapWindow[];
  rows: Counted;
}

/** The rows of as many open windows as the time allows; null when it does not allow even those of day and hour. */
async function countOpenWindows(link: CapDoc, deps: RecountDeps): Promise<CountedRows | null> {
  for (const { windows, withinMs } of SPANS) {
    const rows = await inTimeLimit(() => countRows(link, windows, withinMs, deps));
    if (rows) return { windows, rows };
  }
  return null;
}

/**
 * The windows to count, as far as the time allows: the longer a window, the more rows it has. Each count occupies a
 * core of the database meanwhile, and MongoDB ends it: the connection would give up after two seconds (`connect.ts`),
 * and the count would go on.
 */
const SPANS: readonly { windows: readonly CapWindow[]; withinMs: number }[] = [
  { windows: CAP_WINDOWS.map(({ window }) => window), withinMs: 500 },
  { windows: CALENDAR_WINDOWS, withinMs: 500 },
  { windows: ['hour', 'day'], withinMs: 1_500 },
];

type Counted = Partial<Record<CapWindow, { count: number; amount: number }>>;

/** By how much the counted windows count too little (or, below 0, too much); null when they are right. */
function differenceOf(link: CapDoc, { windows, rows }: CountedRows): Drift | null {
  const counters = countersOf(link);
  const off = (window: CapWindow): WindowCount => {
    const { key, count, amount } = counters[window];
    const held = link.held.filter(
      ({ keys }) => window === 'total' || isCountedIn(window, keys, windowsOf(link)),
    );
    const counted = rows[window] ?? { count: 0, amount: 0 };
    // Rows are found by their day. An account that moves to another zone may have rows of this hour in another day, and
    // what is counted too much is over with the hour.
    const least = window === 'hour' ? 0 : -Infinity;
    const more = counted.count + sumOf(held, ({ leads = 1 }) => leads) - count;
    const dearer = counted.amount + sumOf(held, (hold) => hold.amount) - amount;
    return { key, count: Math.max(least, more), amount: Math.max(least, dearer) };
  };
  const { key: day, count, amount } = off('day');
  const longer = windows
    .filter((window) => window !== 'day')
    .map((window) => [window, off(window)] as const);
  // What a move has counted too much in a day is not in the longer windows as well.
  const isMoved = link.moved?.windows.day?.key === day;
  const left = CAP_WINDOWS.filter(({ window }) => isMoved && !windows.includes(window)).map(
    ({ window }) => [window, { key: counters[window].key, count: 0, amount: 0 }] as const,
  );
  const isRight = [{ count, amount }, ...longer.map(([, one]) => one)].every(
    (one) => one.count === 0 && one.amount === 0,
  );
  return isRight ? null : { day, count, amount, longer: Object.fromEntries([...longer, ...left]) };
}

/** Rows of the open windows that count by themselves; a row with a reservation is counted by that. */
async function countRows(
  link: CapDoc,
  windows: readonly CapWindow[],
  maxTimeMS: number,
  { collections, clock }: RecountDeps,
): Promise<Counted> {
  const begun = findBeginnings(link, clock.now());
  const { scope, campaignId, ownerId } = linkOf(link._id);
  const of = {
    campaign_id: campaignId,
    'reserved.day': daysOf(link, scope, windows),
    buyer_id: scope === 'buyer' ? ownerId : undefined,
    supplier_id: scope === 'supplier' ? ownerId : undefined,
  };
  const [all = {}] = await collections.deliveries
    .aggregate<Record<string, number>>(
      [{ $match: of }, { $group: { _id: null, ...sumsOf({ link, scope, begun }, windows) } }],
      // The hint is needed: the database would rate the index on the rows' ids as equally good, and it is not.
      { hint: DELIVERIES_BY_DAY, maxTimeMS },
    )
    .toArray();
  const held = await heldRows(link, of, collections);
  const money = scope === 'supplier' ? 'cost' : 'price';
  const countOf = (window: CapWindow) => {
    const here = held.filter((row) => {
      if (window === 'total') return true;
      const keys = windowsIn(row, scope);
      return (
        isCountedIn(window, keys, windowsOf(link)) && !isSoldEarlier(row, keys?.hour, begun[window])
      );
    });
    const leads = sumOf(here, ({ further }) => (further && scope !== 'buyer' ? 0 : 1));
    return {
      count: (all[`${window}_count`] ?? 0) - leads,
      amount: (all[`${window}_amount`] ?? 0) - sumOf(here, (row) => row[money]),
    };
  };
  return Object.fromEntries(windows.map((window) => [window, countOf(window)]));
}

/** The counters of a link, and what it had counted when its account moved to another time zone. */
const windowsOf = (link: CapDoc) => ({ ...countersOf(link), moved: link.moved });

type ReservedRow = Pick<
  DeliveryDoc,
  'state' | 'price' | 'cost' | 'further' | 'reserved' | 'reserved_apart'
>;

async function heldRows(
  { held }: CapDoc,
  of: Filter<DeliveryDoc>,
  { deliveries }: Pick<DeliveryCollections, 'deliveries'>,
): Promise<ReservedRow[]> {
  if (held.length === 0) return [];
  const holds = new Map(held.map((hold) => [hold.hold_id, hold]));
  const rows = await deliveries
    .find({
      ...of,
      _id: { $in: held.map(({ hold_id }) => hold_id) },
      state: { $in: [...COUNTED_STATES] },
    })
    .project<ReservedRow & Pick<DeliveryDoc, '_id' | 'fence'>>({
      state: 1,
      price: 1,
      cost: 1,
      further: 1,
      reserved: 1,
      reserved_apart: 1,
      fence: 1,
    })
    .toArray();
  return rows.filter(({ _id, fence }) => {
    const hold = holds.get(_id);
    return hold !== undefined && !isStray(hold, { row_fence: fence });
  });
}

/** Leads and money of each window: the windows of this link that the rows name. */
function sumsOf(
  { link, scope, begun }: { link: CapDoc; scope: CapScope; begun: Beginnings },
  windows: readonly CapWindow[],
): Document {
  const money = scope === 'supplier' ? '$cost' : '$price';
  // A further sale of a lead does not count as a lead with its supplier and its campaign.
  const leads = scope === 'buyer' ? 1 : { $cond: [{ $eq: ['$further', true] }, 0, 1] };
  const keys =
    scope === 'buyer' ? '$reserved' : { $ifNull: [`$reserved_apart.${scope}`, '$reserved'] };
  return Object.fromEntries(
    windows.flatMap((window): [string, Document][] => {
      const isOpen = window === 'total' ? true : isInWindow(keys, window, link, begun);
      const isHere = { $and: [{ $in: ['$state', [...COUNTED_STATES]] }, isOpen] };
      return [
        [`${window}_count`, { $sum: { $cond: [isHere, leads, 0] } }],
        [`${window}_amount`, { $sum: { $cond: [isHere, money, 0] } }],
      ];
    }),
  );
}

const sumOf = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.reduce((sum, one) => sum + read(one), 0);

const isSame = (a: Drift, b: Drift | null): boolean => JSON.stringify(a) === JSON.stringify(b);

const sameCounters = (a: CapDoc, b: CapDoc): boolean =>
  JSON.stringify(seenIn(a)) === JSON.stringify(seenIn(b));

const seenIn = (link: CapDoc): unknown[] => [
  valuesOf(link),
  link.held.map(({ hold_id, fence }) => [hold_id, fence]),
];

const unchanged = (link: CapDoc) => ({ _id: link._id, ...valuesOf(link), held: link.held });

/** What a link has counted, by the paths of the values. */
const valuesOf = (link: CapDoc): Record<string, string | number | null> =>
  Object.fromEntries(
    CAP_WINDOWS.flatMap(({ window }): [string, string | number | null][] => {
      // Null is also what an earlier release did not count.
      const { key = null, count = null, amount = null } = link[window] ?? {};
      return [
        [`${window}.key`, key],
        [`${window}.count`, count],
        [`${window}.amount`, amount],
      ];
    }),
  );

/** A surplus or deficit of the day is in the longer windows too, where those were not counted: the hour always is. */
const moved = (drift: Drift) =>
  eachWindow((window) => {
    const { count, amount } = (window === 'day' ? drift : drift.longer?.[window]) ?? drift;
    return {
      key: `$${window}.key`,
      count: { $max: [0, { $add: [`$${window}.count`, count] }] },
      amount: { $max: [0, { $add: [`$${window}.amount`, amount] }] },
    };
  });
