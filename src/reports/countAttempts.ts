/** Counts attempts by the index of a buyer's deliveries. */
import type { Document, Filter } from 'mongodb';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { DeliveryDoc, DeliveryState } from '../deliveries/store/deliveryDoc.js';
import {
  DELIVERIES_OF_BUYER,
  IS_TEST,
  TESTS_OF_BUYER,
} from '../deliveries/store/deliveryIndexes.js';
import { dayAfter, startOfDay } from '../fields/days.js';
import { chunks } from '../lib/chunks.js';
import {
  COUNTED_ATTEMPTS,
  NO_ATTEMPTS,
  withAttempts,
  type AttemptScope,
  type AttemptSums,
  type CampaignAttempts,
} from './rules/attemptSums.js';

type Deliveries = Pick<DeliveryCollections, 'deliveries'>;

/** Days that one query counts: the queries of a longer span run in parallel. */
const DAYS_A_QUERY = 8;

/**
 * The attempts that were opened on these days. Reads an index key for each, and with a campaign its document too.
 * @param days in order; days in between that are not named are read as well
 */
export async function countAttempts(
  collections: Deliveries,
  scope: AttemptScope,
  days: readonly string[],
): Promise<Map<string, AttemptSums>> {
  const sums = new Map(days.map((day) => [day, NO_ATTEMPTS]));
  const found = await Promise.all(
    splitIntoRuns(days).map((run) => countRun(collections, scope, run)),
  );
  for (const { day, state, count } of found.flat()) {
    const before = sums.get(day);
    if (before) sums.set(day, withAttempts(before, state, count));
  }
  return sums;
}

/** Splits days into runs of consecutive ones, so that no day in between is counted. */
function splitIntoRuns(days: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last && dayAfter(last.at(-1) ?? '') === day) last.push(day);
    else runs.push([day]);
  }
  return runs.flatMap((run) => chunks(run, DAYS_A_QUERY));
}

/** @param days consecutive ones */
async function countRun(
  collections: Deliveries,
  { org_id, buyer_id, campaign_id, time_zone }: AttemptScope,
  days: readonly string[],
): Promise<{ day: string; state: DeliveryState; count: number }[]> {
  const [first = ''] = days;
  const { from, to } = spanOfDays(first, days.at(-1) ?? first, time_zone);
  const match = {
    ...openedBetween(buyer_id, from, to),
    ...(campaign_id === undefined ? {} : { campaign_id, org_id }),
  };
  // MongoDB counts keys in a quarter of the time that it takes to compute the day of each.
  const day = days.length === 1 ? null : dayOpened(time_zone);
  const found = await countStates(collections, match, day);
  return found.map(({ key, ...counted }) => ({ day: key ?? first, ...counted }));
}

/** The attempts of a part of a day by campaign: reads the document of each. */
export async function countByCampaign(
  collections: Deliveries,
  { buyer_id }: Pick<AttemptScope, 'buyer_id'>,
  { from, to }: { from: Date; to: Date },
): Promise<CampaignAttempts[]> {
  const match = openedBetween(buyer_id, from, to);
  const found = await countStates(collections, match, '$campaign_id');
  return [...Map.groupBy(found, ({ key }) => key ?? '')].map(([campaign_id, rows]) => ({
    campaign_id,
    ...rows.reduce((sums, { state, count }) => withAttempts(sums, state, count), NO_ATTEMPTS),
  }));
}

/**
 * One query per state: for several states in one query, MongoDB reads the whole index, which is a partial one. Test leads
 * are subtracted: an index of theirs alone spares the documents of all others.
 */
async function countStates(
  { deliveries }: Deliveries,
  match: Filter<DeliveryDoc>,
  key: string | Document | null,
): Promise<{ key: string | null; state: DeliveryState; count: number }[]> {
  const tests = await deliveries
    .aggregate<{ _id: { key: string | null; state: DeliveryState }; count: number }>(
      [
        { $match: { ...match, ...IS_TEST } },
        { $group: { _id: { key, state: '$state' }, count: { $sum: 1 } } },
      ],
      { hint: TESTS_OF_BUYER },
    )
    .toArray();
  const countTests = (of: string | null, state: DeliveryState): number =>
    tests.find(({ _id }) => (_id.key ?? null) === of && _id.state === state)?.count ?? 0;
  const found = await Promise.all(
    COUNTED_ATTEMPTS.map(async (state) => {
      const rows = await deliveries
        .aggregate<{ _id: string | null; count: number }>(
          [{ $match: { ...match, state } }, { $group: { _id: key, count: { $sum: 1 } } }],
          { hint: DELIVERIES_OF_BUYER },
        )
        .toArray();
      return rows.flatMap(({ _id, count }) => {
        // One that is settled in between may be subtracted and not counted.
        const live = count - countTests(_id, state);
        return live > 0 ? [{ key: _id, state, count: live }] : [];
      });
    }),
  );
  return found.flat();
}

/**
 * When the attempt nearest before or after was opened; null when there is none.
 * @param side `before` that instant, or `from` it on
 */
export async function nearestAttempt(
  { deliveries }: Deliveries,
  { buyer_id }: Pick<AttemptScope, 'buyer_id'>,
  side: 'before' | 'from',
  at: Date,
): Promise<Date | null> {
  const created_at = side === 'before' ? { $lt: at } : { $gte: at };
  const found = await Promise.all(
    COUNTED_ATTEMPTS.map((state) =>
      deliveries.findOne(
        { buyer_id, state, created_at },
        {
          projection: { _id: 0, created_at: 1 },
          sort: { created_at: side === 'before' ? -1 : 1 },
          hint: DELIVERIES_OF_BUYER,
        },
      ),
    ),
  );
  const times = found.flatMap((row) => (row ? [Number(row.created_at)] : []));
  if (times.length === 0) return null;
  return new Date(side === 'before' ? Math.max(...times) : Math.min(...times));
}

export const openedBetween = (buyer_id: string, from: Date, to: Date) => ({
  buyer_id,
  created_at: { $gte: from, $lt: to },
});

/** The instants at which the first day begins (`from`) and the last one ends (`to`). */
export const spanOfDays = (first: string, last: string, timeZone: string) => ({
  from: startOfDay(first, timeZone),
  to: startOfDay(dayAfter(last), timeZone),
});

/** The day on which an attempt was opened. */
export const dayOpened = (timezone: string) => ({
  $dateToString: { date: '$created_at', format: '%Y-%m-%d', timezone },
});
