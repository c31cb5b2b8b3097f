/** Stores the past days of one buyer: each new one, and earlier ones, back to its first attempt. */
import { dayAfter, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { Pace } from '../lib/pace.js';
import type { AttemptDeps } from './attemptDays.js';
import { nearestAttempt } from './countAttempts.js';
import { timeZoneOf } from './countBatches.js';
import { keepAttemptDay } from './keepAttemptDay.js';
import { dropMissedDays } from './missedDays.js';
import type { AttemptSpanDoc, KeptDays } from './store/attemptDayDocs.js';

/** Milliseconds from the end of a day until it is stored: changes of its attempts are marked by then. */
const OVER_MS = 3_600_000;
/** A day before the first attempt of any buyer. */
const BEGINNING = '0001-01-01';

/** After 60 s another process takes over what this one has claimed and not finished. */
export const leaseEnd = (now: Date): Date => new Date(Number(now) + 60_000);

/** Claims the buyer that has been due longest, for this process alone until the lease ends; null when none is. */
export function claimSpan({ collections, clock }: AttemptDeps): Promise<AttemptSpanDoc | null> {
  const now = clock.now();
  return collections.attemptSpans.findOneAndUpdate(
    { due_at: { $lte: now } },
    { $set: { due_at: leaseEnd(now) } },
    { sort: { due_at: 1 } },
  );
}

/**
 * Stores one more day of a buyer, the newest first, and records when the next one is due. Days without attempts are
 * skipped. A process that was overtaken by another changes nothing.
 */
export async function advanceSpan(
  deps: AttemptDeps,
  span: AttemptSpanDoc,
  pace: Pick<Pace, 'step'>,
): Promise<void> {
  const { collections, clock } = deps;
  const now = clock.now();
  const time_zone = await timeZoneOf(span, collections);
  const last = dayAfter(windowKeys(new Date(Number(now) - OVER_MS), time_zone).day, -1);
  const kept =
    span.days?.time_zone === time_zone
      ? span.days
      : { time_zone, from: dayAfter(last), through: last };
  const next = await findNext(deps, span._id, kept, last);
  const buyer = { org_id: span.org_id, buyer_id: span._id, time_zone };
  if (next === null) await dropMissedDays(deps, buyer, last);
  else if (next.day !== undefined) await keepAttemptDay(deps, { ...buyer, day: next.day }, pace);
  await collections.attemptSpans.updateOne(
    { _id: span._id, days: span.days },
    { $set: { days: next?.kept ?? kept, due_at: next ? now : nextEnd(last, time_zone) } },
  );
}

/** The next day to store, and the days stored then; without a day: there was none with attempts on that side. */
interface Next {
  day?: string;
  kept: KeptDays;
}

/** @param last the latest day that is over; null: it is stored, as are all earlier ones */
async function findNext(
  { collections }: AttemptDeps,
  buyer_id: string,
  kept: KeptDays,
  last: string,
): Promise<Next | null> {
  const { time_zone, from, through } = kept;
  const nearest = async (side: 'before' | 'from', day: string) => {
    const at = await nearestAttempt(collections, { buyer_id }, side, startOfDay(day, time_zone));
    return at && windowKeys(at, time_zone).day;
  };
  if (through < last) {
    const day = await nearest('from', dayAfter(through));
    if (day === null || day > last) return { kept: { ...kept, through: last } };
    return { day, kept: { ...kept, through: day } };
  }
  if (from === BEGINNING) return null;
  const day = await nearest('before', from);
  if (day === null) return { kept: { ...kept, from: BEGINNING } };
  return { day, kept: { ...kept, from: day } };
}

/** When the following day is over. */
const nextEnd = (day: string, timeZone: string): Date =>
  new Date(Number(startOfDay(dayAfter(day, 2), timeZone)) + OVER_MS);
