/** How many attempts a buyer was sent a day, and how they ended. */
import type { Filter } from 'mongodb';
import type { DeliveryDoc, DeliveryState } from '../../../deliveries/store/deliveryDoc.js';
import { DELIVERIES_OF_BUYER } from '../../../deliveries/store/deliveryIndexes.js';
import type { DeliveryCollections } from '../../../deliveries/store/collections.js';
import { chunks } from '../../../lib/chunks.js';
import type { Clock } from '../../../lib/clock.js';
import { lruMap } from '../../../lib/lruMap.js';
import { dayAfter, daysBetween, startOfDay } from '../../../fields/days.js';
import { windowKeys } from '../../../fields/windowKeys.js';

export interface Sent {
  accepted: number;
  rejected: number;
  unanswered: number;
}

export interface SentSpan {
  buyer_id: string;
  org_id: string;
  time_zone: string;
  /** Days, both included. */
  from: string;
  to: string;
  campaign_id: string | undefined;
}

export interface SentByDay {
  /** By the day on which an attempt was opened. Days before today may be five minutes old; days without attempts are absent. */
  read(span: SentSpan): Promise<Map<string, Sent>>;
}

const MEANINGS: Partial<Record<DeliveryState, keyof Sent>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  unknown: 'unanswered',
  abandoned: 'unanswered',
  expired: 'unanswered',
};
const COUNTED = Object.keys(MEANINGS) as DeliveryState[];

/** Counting reads an index key for each attempt: of a day that is over, this often is enough, in milliseconds. */
const KEPT_MS = 300_000;
const DAYS_KEPT = 50_000;
/** Days that one query counts: the queries of a longer span run side by side. */
const DAYS_A_QUERY = 8;

interface CountedDay {
  sent: Sent;
  /** On the monotonic clock. */
  at: number;
}

export function createSentByDay(
  collections: Pick<DeliveryCollections, 'deliveries'>,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): SentByDay {
  const known = lruMap<string, CountedDay>(DAYS_KEPT);
  /** People who open the same page at the same moment count together. */
  const counting = new Map<string, Promise<Map<string, Sent>>>();

  const count = async (span: SentSpan, days: readonly string[]): Promise<Map<string, Sent>> => {
    const at = clock.monotonic();
    const parts = chunks(days, DAYS_A_QUERY).flatMap((part) =>
      COUNTED.map((state) => countState(state, span, part, collections)),
    );
    const found = new Map(days.map((day) => [day, { accepted: 0, rejected: 0, unanswered: 0 }]));
    for (const { day, state, count: attempts } of (await Promise.all(parts)).flat()) {
      const [sent, meaning] = [found.get(day), MEANINGS[state]];
      if (sent && meaning) sent[meaning] += attempts;
    }
    for (const [day, sent] of found) known.set(keyOf(span, day), { sent, at });
    return found;
  };

  return {
    async read(span) {
      const today = windowKeys(clock.now(), span.time_zone).day;
      const all = Array.from({ length: daysBetween(span.from, span.to) }, (_, n) =>
        dayAfter(span.from, n),
      );
      const fresh = new Map<string, Sent>();
      const oldest = clock.monotonic() - KEPT_MS;
      for (const day of all) {
        const kept = day < today ? known.get(keyOf(span, day)) : undefined;
        if (kept && kept.at >= oldest) fresh.set(day, kept.sent);
      }
      const missing = all.filter((day) => !fresh.has(day));
      const name = keyOf(span, missing.join());
      let running = counting.get(name);
      if (!running) {
        running = count(span, missing).finally(() => counting.delete(name));
        counting.set(name, running);
      }
      return new Map([...fresh, ...(await running)]);
    },
  };
}

const keyOf = ({ buyer_id, campaign_id = '', time_zone }: SentSpan, days: string): string =>
  `${buyer_id} ${campaign_id} ${time_zone} ${days}`;

/** Without a campaign the index alone says it. @param days side by side, or all of a part that is not known */
async function countState(
  state: DeliveryState,
  { buyer_id, org_id, campaign_id, time_zone }: SentSpan,
  days: readonly string[],
  { deliveries }: Pick<DeliveryCollections, 'deliveries'>,
): Promise<{ day: string; state: DeliveryState; count: number }[]> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const opened = { $gte: startOfDay(first, time_zone), $lt: startOfDay(dayAfter(last), time_zone) };
  const own: Filter<DeliveryDoc> = {
    buyer_id,
    state,
    created_at: opened,
    ...(campaign_id === undefined ? {} : { campaign_id, org_id }),
  };
  const day = { $dateToString: { date: '$created_at', format: '%Y-%m-%d', timezone: time_zone } };
  const found = await deliveries
    .aggregate<{ _id: string; count: number }>(
      [{ $match: own }, { $group: { _id: day, count: { $sum: 1 } } }],
      { hint: DELIVERIES_OF_BUYER },
    )
    .toArray();
  return found.map(({ _id, count }) => ({ day: _id, state, count }));
}
