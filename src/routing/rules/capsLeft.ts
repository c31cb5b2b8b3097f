/** The rest of caps and budgets, and when they reset: as their owner sees it. */
import {
  CAP_WINDOWS,
  limitsOn,
  type CapLimits,
  type CapWindow,
} from '../../account/rules/capLimits.js';
import { dayAfter, endOfHour, startOfDay } from '../../fields/days.js';
import { windowKeys } from '../../fields/windowKeys.js';
import { emptyCapState, rollWindows, type Counters } from './caps.js';

export interface CapLeft {
  window: CapWindow;
  /** count: leads. budget: money, in micro-units. */
  of: 'count' | 'budget';
  limit: number;
  used: number;
  /** Never below 0: a limit may have been lowered below what is used. */
  left: number;
  /** Null: it never resets. */
  resets_at: Date | null;
}

/**
 * Each limit that is set, the daily cap as that of the weekday, the shortest window first.
 * @param counters undefined where nothing was counted yet
 */
export function capsLeft(
  limits: CapLimits,
  counters: Counters | undefined,
  { now, timeZone }: { now: Date; timeZone: string },
): CapLeft[] {
  // A window without counts since it began still has those of the previous one.
  const current = rollWindows(counters ?? emptyCapState(), windowKeys(now, timeZone));
  const today = limitsOn(limits, current.day.key);
  return CAP_WINDOWS.flatMap(({ window, cap, budget }): CapLeft[] => {
    const { count, amount } = current[window];
    const resets_at = resetOf(window, now, timeZone);
    const row = (of: CapLeft['of'], limit: number | null | undefined, used: number): CapLeft[] =>
      limit == null
        ? []
        : [{ window, of, limit, used, left: Math.max(0, limit - used), resets_at }];
    return [...row('count', today[cap], count), ...row('budget', today[budget], amount)];
  });
}

/** When the window that contains `now` ends: the full hour, midnight, Monday, the 1st; null for the one that never ends. */
export function resetOf(window: CapWindow, now: Date, timeZone: string): Date | null {
  const { day, week, month } = windowKeys(now, timeZone);
  switch (window) {
    case 'hour':
      return endOfHour(now, timeZone);
    case 'day':
      return startOfDay(dayAfter(day), timeZone);
    case 'week':
      return startOfDay(dayAfter(week.slice(1), 7), timeZone);
    case 'month':
      return startOfDay(`${dayAfter(`${month}-01`, 31).slice(0, 7)}-01`, timeZone);
    case 'total':
      return null;
  }
}
