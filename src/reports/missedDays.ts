/**
 * Days stored as empty that are not: a process of an earlier release does not mark attempts that it settles late.
 * @until 0.3
 */
import { dayAfter, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AttemptDeps } from './attemptDays.js';
import { nearestAttempt, type AttemptScope } from './countAttempts.js';
import { createAttemptDayStore } from './store/attemptDays.js';

/** Past days that are checked: attempts of an older day no longer change. */
const DAYS = 60;

/** Marks days without stored sums that have attempts, to be counted. One query for each gap between stored days. */
export async function dropMissedDays(
  { collections, clock }: AttemptDeps,
  { org_id, buyer_id, time_zone }: AttemptScope,
  last: string,
): Promise<void> {
  const store = createAttemptDayStore(collections);
  const first = dayAfter(last, -DAYS);
  const stored = await store.read({ buyer_id, time_zone, from: first, to: last });
  const missed: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) {
    if (stored.has(day)) continue;
    const start = startOfDay(day, time_zone);
    const at = await nearestAttempt(collections, { buyer_id }, 'from', start);
    if (at === null) break;
    day = windowKeys(at, time_zone).day;
    if (day <= last && !stored.has(day)) missed.push(day);
  }
  const days = missed.map((day) => ({ org_id, buyer_id, day }));
  await store.drop(days, clock.now());
}
