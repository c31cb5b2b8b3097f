/** Caps and budgets: the windows in which they count, and the limits of each. All that lists them is made from this. */
import { weekdayOf, type Weekday } from '../../fields/days.js';
import type { WindowKeys } from '../../fields/windowKeys.js';

/** Each window with its limits, leads and money, the shortest first; `span` is for labels, `period` for descriptions. */
export const CAP_WINDOWS = [
  {
    window: 'hour',
    cap: 'hourly_cap',
    budget: 'hourly_budget',
    span: 'an hour',
    period: 'an hour, by the clock',
  },
  { window: 'day', cap: 'daily_cap', budget: 'daily_budget', span: 'a day', period: 'a day' },
  {
    window: 'week',
    cap: 'weekly_cap',
    budget: 'weekly_budget',
    span: 'a week',
    period: 'a week, from Monday',
  },
  {
    window: 'month',
    cap: 'monthly_cap',
    budget: 'monthly_budget',
    span: 'a month',
    period: 'a month',
  },
  { window: 'total', cap: 'total_cap', budget: 'total_budget', span: 'ever', period: 'ever' },
] as const satisfies readonly {
  /** One of the calendar, or the one that never ends. */
  window: keyof WindowKeys | 'total';
  cap: `${string}_cap`;
  budget: `${string}_budget`;
  span: string;
  period: string;
}[];

type WindowLimits = (typeof CAP_WINDOWS)[number];
export type CapWindow = WindowLimits['window'];
/** A limit by its name on the wire. */
export type LimitKey = WindowLimits['cap' | 'budget'];

/** Upper bounds per window; null or absent is no limit. Budgets are in micro-units. */
export type CapLimits = { [K in LimitKey]?: number | null } & {
  /** Caps of single weekdays, in the place of `daily_cap`; of another day, or one that is null, that one holds. */
  daily_caps?: { [D in Weekday]?: number | null } | null;
};

/** The limits as they hold on a day, YYYY-MM-DD. */
export function limitsOn(limits: CapLimits, day: string): CapLimits {
  const weekday = limits.daily_caps ? weekdayOf(day) : undefined;
  const dayCap = weekday && limits.daily_caps?.[weekday];
  return dayCap == null ? limits : { ...limits, daily_cap: dayCap };
}

/** A value for the cap, or the budget, of each window. */
export const eachLimit = <K extends 'cap' | 'budget', T>(
  kind: K,
  of: (limits: WindowLimits) => T,
): Record<WindowLimits[K], T> =>
  Object.fromEntries(CAP_WINDOWS.map((one) => [one[kind], of(one)])) as Record<WindowLimits[K], T>;

/** A value for each window. */
export const eachWindow = <T>(of: (window: CapWindow) => T): Record<CapWindow, T> =>
  Object.fromEntries(CAP_WINDOWS.map(({ window }) => [window, of(window)])) as Record<CapWindow, T>;

/** The words of a window in labels, such as "a day". */
export const spanOf = (window: CapWindow): string =>
  CAP_WINDOWS.find((one) => one.window === window)?.span ?? window;

/** The windows that end. */
export const CALENDAR_WINDOWS = CAP_WINDOWS.map(({ window }) => window).filter(
  (window) => window !== 'total',
);

/** A value for each window that ends. */
export const eachCalendarWindow = <T>(
  of: (window: keyof WindowKeys) => T,
): Record<keyof WindowKeys, T> =>
  Object.fromEntries(CALENDAR_WINDOWS.map((one) => [one, of(one)])) as Record<keyof WindowKeys, T>;

/** Whether anything is limited at all; without limits nothing needs to be counted. */
export const hasCaps = (limits: CapLimits): boolean =>
  limits.daily_caps != null ||
  CAP_WINDOWS.some(({ cap, budget }) => limits[cap] != null || limits[budget] != null);

/** The owners of caps, in the order in which their caps are checked. */
export const CAP_SCOPES = ['buyer', 'supplier', 'campaign'] as const;

export type CapScope = (typeof CAP_SCOPES)[number];
