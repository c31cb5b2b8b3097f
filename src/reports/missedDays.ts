/** Days that are kept as empty, and are not: a process of an earlier release marks no attempt that it settles late. */
import { dayAfter, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { AttemptDeps } from './attemptDays.js';
import { nearestAttempt, type AttemptScope } from './countAttempts.js';
import { createAttemptDayStore } from './store/attemptDays.js';

/** Days before the last one that are looked through: nothing of an older one changes any more. */
const DAYS = 60;

/** Has days of which nothing is stored, but that have attempts, counted. A query for each gap between stored days. */
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
