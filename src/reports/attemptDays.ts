/** Leads sent to a buyer per day, by result: past days from stored sums, the others counted. */
import type { Clock } from '../lib/clock.js';
import { dayAfter, daysBetween } from '../fields/days.js';
import { countAttempts, dayOpened, openedBetween, spanOfDays } from './countAttempts.js';
import {
  NO_ATTEMPTS,
  type AttemptScope,
  type AttemptSpan,
  type AttemptSums,
} from './rules/attemptSums.js';
import type { KeptDays } from './store/attemptDayDocs.js';
import { readDays } from './store/attemptDays.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { ReportCollections } from './store/collections.js';

export interface AttemptDeps {
  collections: Pick<
    AccountCollections & DeliveryCollections & ReportCollections,
    'orgs' | 'buyers' | 'deliveries' | 'attemptDays' | 'attemptSpans'
  >;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

/**
 * Sums of each day of the span, by the day on which an attempt was opened. Exact: a change that is in the attempts when
 * the call begins is in the sums.
 */
export async function readAttemptDays(
  { collections }: Pick<AttemptDeps, 'collections'>,
  span: AttemptSpan,
): Promise<Map<string, AttemptSums>> {
  // Marks and span first: a mark is removed, and a span grows, only after the stored sums reflect it.
  const [changed, found] = await Promise.all([
    changedDays(collections, span),
    collections.attemptSpans.findOne({ _id: span.buyer_id }),
  ]);
  const stored = await readDays(collections, span);
  const days = Array.from({ length: daysBetween(span.from, span.to) }, (_, n) =>
    dayAfter(span.from, n),
  );
  const isStored = (day: string): boolean =>
    isKept(day, span, found?.days ?? null) && !changed.has(day) && stored.get(day) !== null;
  const counted = await countAttempts(
    collections,
    span,
    days.filter((day) => !isStored(day)),
  );
  return new Map(days.map((day) => [day, counted.get(day) ?? stored.get(day) ?? NO_ATTEMPTS]));
}

const isKept = (day: string, { time_zone }: AttemptScope, kept: KeptDays | null): boolean =>
  kept?.time_zone === time_zone && kept.from <= day && day <= kept.through;

/** Days with attempts that have changed since they were counted. */
async function changedDays(
  { deliveries }: AttemptDeps['collections'],
  { buyer_id, time_zone, from, to }: AttemptSpan,
): Promise<Set<string>> {
  const span = spanOfDays(from, to, time_zone);
  const found = await deliveries
    .aggregate<{ _id: string }>([
      { $match: { uncounted: true, ...openedBetween(buyer_id, span.from, span.to) } },
      { $group: { _id: dayOpened(time_zone) } },
    ])
    .toArray();
  return new Set(found.map(({ _id }) => _id));
}
