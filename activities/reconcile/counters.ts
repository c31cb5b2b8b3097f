/**
 * Counters compared with the delivery rows they stand for. By construction they agree; a record that was
 * restored or edited by hand may not, and a wrong counter would sell too much or too little for ever.
 */
import { CAP_WINDOWS } from '../../src/domain/caps.js';
import type { CapDoc, Collections, DeliveryDoc, Drift } from '../../src/store/collections.js';
import { linkOf } from '../../src/store/caps.js';
import { COUNTED_STATES } from '../../src/store/deliveries.js';
import { DELIVERIES_BY_DAY } from '../../src/store/indexes.js';
import type { SellingDeps } from '../selling/deps.js';
import { whileInTime } from './inTime.js';

export interface RecountDeps extends Pick<SellingDeps, 'clock'> {
  collections: Collections;
}

const LINKS_PER_RUN = 500;
/**
 * A link rests so many times as long as its counting took, whatever was found: many leads a day cost no more than few,
 * and the counters of a link that is busy differ from its rows at nearly every look.
 */
const REST_FACTOR = 500;

/**
 * Recounts links, the longest overdue first. What differs is corrected when it differs by the
 * same at two looks in turn, each of them undisturbed. Returns how many counters were corrected.
 */
export async function recount(deps: RecountDeps): Promise<number> {
  const links = await deps.collections.caps
    // Those without a time were never looked at.
    .find({ recount_at: { $not: { $gt: deps.clock.now() } } })
    .sort({ recount_at: 1 })
    .limit(LINKS_PER_RUN)
    .toArray();
  return whileInTime(links, deps.clock, (link) => recountLink(link, deps));
}

async function recountLink(link: CapDoc, deps: RecountDeps): Promise<number> {
  const { caps } = deps.collections;
  const started = deps.clock.monotonic();
  const drift = await driftOf(link, deps);
  const tookMs = deps.clock.monotonic() - started;
  const found = await caps.findOne({ _id: link._id });
  const isQuiet = found !== null && sameCounters(found, link);
  const known = link.drift ?? null;
  const recount_at = new Date(Number(deps.clock.now()) + tookMs * REST_FACTOR);
  if (!isQuiet || drift === null || !isSame(drift, known)) {
    const seen = isQuiet ? drift : null;
    await caps.updateOne({ _id: link._id }, { $set: { recount_at, drift: seen } });
    return 0;
  }
  const result = await caps.updateOne(unchanged(link), [
    { $set: { ...moved(drift), drift: null, recount_at } },
  ]);
  return result.modifiedCount;
}

/** By how much the open day counts too little (or, below 0, too much); null when it is right. */
async function driftOf(link: CapDoc, deps: RecountDeps): Promise<Drift | null> {
  const { key } = link.day;
  const held = link.held.filter(({ keys }) => keys.day === key);
  const rows = await countRows(link, deps);
  const count = rows.count + sumOf(held, ({ leads = 1 }) => leads) - link.day.count;
  const amount = rows.amount + sumOf(held, (hold) => hold.amount) - link.day.amount;
  return count === 0 && amount === 0 ? null : { day: key, count, amount };
}

interface Counted {
  count: number;
  amount: number;
}

/** Rows of the open day that are counted by themselves; those with a hold are counted by it. */
async function countRows(link: CapDoc, { collections }: RecountDeps): Promise<Counted> {
  const { scope, campaignId, ownerId } = linkOf(link._id);
  const of = {
    campaign_id: campaignId,
    'reserved.day': link.day.key,
    ...(scope === 'buyer' ? { buyer_id: ownerId } : {}),
    ...(scope === 'supplier' ? { supplier_id: ownerId } : {}),
    state: { $in: [...COUNTED_STATES] },
  };
  const money = scope === 'supplier' ? 'cost' : 'price';
  // A further sale of a lead is no further lead to its supplier and its campaign.
  const leads = scope === 'buyer' ? 1 : { $cond: [{ $eq: ['$further', true] }, 0, 1] };
  const group = { _id: null, count: { $sum: leads }, amount: { $sum: `$${money}` } };
  const [all = { count: 0, amount: 0 }] = await collections.deliveries
    // Named, because the rows' ids would look as good to the database, and are not.
    .aggregate<Counted>([{ $match: of }, { $group: group }], { hint: DELIVERIES_BY_DAY })
    .toArray();
  if (link.held.length === 0) return all;
  const held = await collections.deliveries
    .find({ ...of, _id: { $in: link.held.map(({ hold_id }) => hold_id) } })
    .project<Pick<DeliveryDoc, 'price' | 'cost' | 'further'>>({ price: 1, cost: 1, further: 1 })
    .toArray();
  return {
    count: all.count - sumOf(held, ({ further }) => (further && scope !== 'buyer' ? 0 : 1)),
    amount: all.amount - sumOf(held, (row) => row[money]),
  };
}

const sumOf = <T>(list: readonly T[], read: (one: T) => number): number =>
  list.reduce((sum, one) => sum + read(one), 0);

const isSame = (a: Drift, b: Drift | null): boolean =>
  b !== null && a.day === b.day && a.count === b.count && a.amount === b.amount;

const sameCounters = (a: CapDoc, b: CapDoc): boolean =>
  JSON.stringify(countersOf(a)) === JSON.stringify(countersOf(b));

const countersOf = ({ day, week, month, total, held }: CapDoc): unknown[] => [
  ...[day, week, month, total].map(({ key, count, amount }) => [key, count, amount]),
  held.map(({ hold_id, fence }) => [hold_id, fence]),
];

const unchanged = ({ _id, day, total, held }: CapDoc) => ({
  _id,
  'day.key': day.key,
  'day.count': day.count,
  'day.amount': day.amount,
  'total.count': total.count,
  held,
});

/** What the day has too much or too little, the longer windows have too. */
const moved = ({ count, amount }: Drift) =>
  Object.fromEntries(
    CAP_WINDOWS.map(({ window }) => [
      window,
      {
        key: `$${window}.key`,
        count: { $max: [0, { $add: [`$${window}.count`, count] }] },
        amount: { $max: [0, { $add: [`$${window}.amount`, amount] }] },
      },
    ]),
  );
