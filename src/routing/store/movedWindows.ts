/** Counters of caps when an account moves to another time zone: their windows end at other times from then on. */
import type { Document } from 'mongodb';
import { CALENDAR_WINDOWS, type CapWindow } from '../../account/rules/capLimits.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import { startOfDay } from '../../fields/days.js';
import { windowKeys, type WindowKeys } from '../../fields/windowKeys.js';
import { NOTHING } from '../rules/caps.js';
import { countersOf, hourBefore, type CapDoc, type MovedWindow } from './capDocs.js';

type Calendar = Exclude<CapWindow, 'total'>;

/** The move of an account: its windows from now on, and those of the former zone. */
export interface Move {
  /** When it was ordered: of two moves the later one holds. */
  at: Date;
  zone: string;
  keys: WindowKeys;
  former: WindowKeys;
  /** When the windows of `keys` began, as hours are named. */
  starts: WindowKeys;
}

/** @param from the former time zone */
export function moveOf({ at, from, to }: { at: Date; from: string; to: string }, now: Date): Move {
  const keys = windowKeys(now, to);
  const startOf = (day: string): string =>
    `${startOfDay(day, to).toISOString().slice(0, 14)}00:00Z`;
  const starts = {
    hour: keys.hour,
    day: startOf(keys.day),
    week: startOf(keys.week.slice(1)),
    month: startOf(`${keys.month}-01`),
  };
  return { at, zone: to, keys, former: windowKeys(now, from), starts };
}

/**
 * Opens the windows of the new time zone, each with all that the window before it has counted: nothing that was sold in
 * the new one before is forgotten, and no cap is passed. What it counts too much, because it began later, `reconcile`
 * corrects. A window is never opened again: where the new zone is in an earlier one, the later stays open until the new
 * zone has passed it. It is applied once to each link.
 */
export function movePipeline({ at, zone, keys, former, starts }: Move): Document[] {
  const opened = CALENDAR_WINDOWS.map((window): [string, Document] => {
    const stored = { $ifNull: [`$${window}`, NOTHING] };
    const isOpen = { $gte: ['$$was.key', former[window]] };
    const carried = { $cond: [isOpen, '$$was', NOTHING] };
    const next = {
      $cond: [
        { $gte: ['$$was.key', keys[window]] },
        '$$was',
        { $mergeObjects: [carried, { key: keys[window] }] },
      ],
    };
    return [window, { $let: { vars: { was: stored }, in: next } }];
  });
  const moved = CALENDAR_WINDOWS.map((window): [string, Document] => {
    const was = { $ifNull: [`$${window}.key`, ''] };
    return [
      window,
      {
        key: { $max: [was, keys[window]] },
        from: starts[window],
        // One that stays open has counted all rows that name it, also where the former zone has passed it since.
        prior: {
          $cond: [{ $gte: [was, keys[window]] }, was, { $max: [was, former[window]] }],
        },
      },
    ];
  });
  return [
    {
      $set: {
        moved: { at, windows: Object.fromEntries(moved) },
        zone,
        total: { $ifNull: ['$total', NOTHING] },
        held: { $ifNull: ['$held', []] },
      },
    },
    { $set: Object.fromEntries(opened) },
  ];
}

/** Adds, once, what earlier windows of the former zone have counted and the open one contains. */
export function addPipeline(window: Calendar, { key }: MovedWindow, sold: Sold): Document[] {
  const isOpen = { $eq: [`$${window}.key`, key] };
  const more = (value: number) => ({ $cond: [isOpen, value, 0] });
  return [
    {
      $set: {
        [window]: {
          key: `$${window}.key`,
          count: { $add: [`$${window}.count`, more(sold.count)] },
          amount: { $add: [`$${window}.amount`, more(sold.amount)] },
        },
        [`moved.windows.${window}.added`]: true,
      },
    },
  ];
}

export interface Sold {
  count: number;
  /** Micro-units. */
  amount: number;
}

/** The hours in which windows begin, as hours are named. */
export type Beginnings = Partial<Record<Calendar, string>>;

/**
 * When the open windows in which the account moved really began by the clock of the new zone. Left out are those that the
 * new zone has not begun yet: until then they count what the window before sold. Hours are over too soon to matter.
 */
export function findBeginnings(link: CapDoc, now: Date): Beginnings {
  const begun: Beginnings = {};
  for (const window of ['day', 'week', 'month'] as const) {
    const { key } = link[window];
    if (!link.zone || link.moved?.windows[window]?.key !== key) continue;
    const start = startOfDay(firstDayOf(window, key), link.zone);
    if (start <= now) begun[window] = `${start.toISOString().slice(0, 14)}00:00Z`;
  }
  return begun;
}

/** The first day of a window, by its key. */
export function firstDayOf(window: Calendar, key: string): string {
  if (window === 'week') return key.slice(1);
  return window === 'month' ? `${key}-01` : key.slice(0, 10);
}

/**
 * Whether a row is sold, and was so before its window began. A row that still waits is none: when it is sent, or ends, it
 * relies on being counted in the window that it names.
 */
export function isSoldEarlier(
  { state }: Pick<DeliveryDoc, 'state'>,
  hour: string | undefined,
  begun: string | undefined,
): boolean {
  if (state !== 'accepted' || hour === undefined || begun === undefined) return false;
  return hour <= hourBefore(begun);
}

/** Whether a row with these windows counts in the open one of the link: `isCountedIn`, less `isSoldEarlier`, as an expression. */
export function isInWindow(
  keys: string | Document,
  window: Calendar,
  link: CapDoc,
  begun: Beginnings,
): Document {
  const { key } = countersOf(link)[window];
  const of = '$$keys.of';
  const move = link.moved?.windows[window];
  const vars = {
    keys: {
      $let: { vars: { all: keys }, in: { of: `$$all.${window}`, hour: `$$all.hour` } },
    },
  };
  const isNamed = { $eq: [of, key] };
  if (move?.key !== key) return { $let: { vars, in: isNamed } };
  const isSoldBefore = {
    $and: [{ $lt: [of, key] }, { $gt: ['$$keys.hour', hourBefore(move.from)] }],
  };
  const isCounted = { $or: [isNamed, isSoldBefore] };
  const began = begun[window];
  if (began === undefined) return { $let: { vars, in: isCounted } };
  const isEarlier = {
    $and: [
      { $eq: ['$state', 'accepted'] },
      // Rows of earlier releases name no hour.
      { $gt: ['$$keys.hour', null] },
      { $lte: ['$$keys.hour', hourBefore(began)] },
    ],
  };
  return { $let: { vars, in: { $and: [isCounted, { $not: [isEarlier] }] } } };
}
