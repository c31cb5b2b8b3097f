/** The use of caps and budgets: what routing has counted in each window, and how much of it is in flight. */
import {
  CAP_WINDOWS,
  eachWindow,
  limitsOn,
  type CapLimits,
  type CapWindow,
} from '../../account/rules/capLimits.js';
import { dayAfter, endOfHour, startOfDay } from '../../fields/days.js';
import { windowKeys, type WindowKeys } from '../../fields/windowKeys.js';
import { emptyCapState, rollWindows, type Counters, type WindowCount } from './caps.js';

/** Leads and money. */
export type Count = Pick<WindowCount, 'count' | 'amount'>;

/** The counters of a link, and the part of each that deliveries in flight reserve. */
export interface CapInUse {
  counters: Counters;
  held: Record<CapWindow, Count>;
}

export interface CapUsage {
  window: CapWindow;
  /** count: leads. budget: money, in micro-units. */
  of: 'count' | 'budget';
  limit: number;
  /** What routing compares with the limit, including `held`. */
  used: number;
  /** The part of `used` that deliveries in flight reserve: it is free again where they do not end in a sale. */
  held: number;
  /** Never below 0: a limit may have been lowered below what is used. */
  left: number;
  /** Null: it never resets. */
  resets_at: Date | null;
}

/** The windows of one instant. */
export interface CapMoment {
  keys: WindowKeys;
  /** When each of them ends. */
  resets: Record<CapWindow, Date | null>;
}

/** The windows of an instant in a time zone; for many links it is made once. */
export const capMoment = (now: Date, timeZone: string): CapMoment => ({
  keys: windowKeys(now, timeZone),
  resets: eachWindow((window) => resetOf(window, now, timeZone)),
});

/**
 * Each limit that is set, the daily cap as that of the weekday, the shortest window first.
 * @param use undefined where nothing was counted yet
 */
export function capUsage(
  limits: CapLimits,
  use: CapInUse | undefined,
  { keys, resets }: CapMoment,
): CapUsage[] {
  const stored = use?.counters ?? emptyCapState();
  // A window without counts since it began still has those of the previous one.
  const current = rollWindows(stored, keys);
  const today = limitsOn(limits, current.day.key);
  return CAP_WINDOWS.flatMap(({ window, cap, budget }): CapUsage[] => {
    const isOpen = current[window].key === stored[window].key;
    const held = (isOpen && use?.held[window]) || NONE;
    const row = (
      of: CapUsage['of'],
      limit: number | null | undefined,
      counted: Pick<CapUsage, 'used' | 'held'>,
    ): CapUsage[] => {
      if (limit == null) return [];
      const left = Math.max(0, limit - counted.used);
      return [{ window, of, limit, ...counted, left, resets_at: resets[window] }];
    };
    const { count, amount } = current[window];
    return [
      ...row('count', today[cap], { used: count, held: held.count }),
      ...row('budget', today[budget], { used: amount, held: held.amount }),
    ];
  });
}

const NONE: Count = { count: 0, amount: 0 };

/** From 0; 1 is full, and more where the limit was lowered. A limit of 0 is full. */
export const shareUsed = ({ limit, used }: Pick<CapUsage, 'limit' | 'used'>): number =>
  limit === 0 ? 1 : used / limit;

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
