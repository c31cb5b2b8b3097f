/** Days of the account's calendar as spans of time, and the days of a week. */
import { DateTime } from 'luxon';
import { windowKeys } from './windowKeys.js';

const SECOND = 1_000;
/** No zone was ever further from UTC. */
const OFFSET_MAX = 16 * 3_600 * SECOND;
/** No hour lasts longer, whatever is done to the clock in it. */
const HOUR_MAX = 2 * 3_600 * SECOND;

/**
 * The first instant of a day, by the clock that caps are counted by. A midnight that a clock change leaves out or
 * repeats, and a day that a zone has left out altogether, begin with the first instant that is not of an earlier day.
 * @param day YYYY-MM-DD
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Number(new Date(`${day}T00:00:00Z`));
  return known(`${timeZone} ${day}`, () =>
    firstInstant(
      [midnight - OFFSET_MAX, midnight + OFFSET_MAX],
      (at) => windowKeys(at, timeZone).day >= day,
    ),
  );
}

/** The first instant of the hour after the one of `now`, by the same clock: half an hour later where that is shifted. */
export function endOfHour(now: Date, timeZone: string): Date {
  const { hour } = windowKeys(now, timeZone);
  const second = Math.floor(Number(now) / SECOND) * SECOND;
  return known(`${timeZone} ${hour}`, () =>
    firstInstant([second, second + HOUR_MAX], (at) => windowKeys(at, timeZone).hour > hour),
  );
}

/** Found by some 17 steps, each of which formats an instant; screens ask for the same few days again and again. */
const KNOWN = new Map<string, number>();
const KNOWN_MAX = 1_000;

function known(name: string, find: () => Date): Date {
  const at = KNOWN.get(name) ?? Number(find());
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
  KNOWN.set(name, at);
  return new Date(at);
}

/** The first second within the span from which on something holds. */
function firstInstant([start, end]: [number, number], holds: (at: Date) => boolean): Date {
  let [before, from] = [start, end];
  while (from - before > SECOND) {
    const middle = before + Math.floor((from - before) / 2 / SECOND) * SECOND;
    if (holds(new Date(middle))) from = middle;
    else before = middle;
  }
  return new Date(from);
}

/** The day `days` later, or earlier (below 0), YYYY-MM-DD. */
export function dayAfter(day: string, days = 1): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + days);
  return next.toISOString().slice(0, 10);
}

/** How many days from one to the other, both included; 0 or less when `to` is before `from`. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / (86_400 * SECOND) + 1;

/** The hour that the clock shows, 0 to 23: an hour that a clock repeats is the same one again. */
export const hourOf = (at: Date, timeZone: string): number =>
  DateTime.fromJSDate(at, { zone: timeZone }).hour;

/** The days of a week, in its order. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The weekday of a day, YYYY-MM-DD; undefined where it is no day. */
export const weekdayOf = (day: string): Weekday | undefined =>
  WEEKDAYS[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7];

/** The first instant of the hour of `at`; of an hour that a clock repeats, of its first time. */
export function startOfHour(at: Date, timeZone: string): Date {
  const { day } = windowKeys(at, timeZone);
  const hour = hourOf(at, timeZone);
  const second = Math.floor(Number(at) / SECOND) * SECOND;
  return firstInstant(
    [second - 2 * HOUR_MAX, second],
    (one) => windowKeys(one, timeZone).day === day && hourOf(one, timeZone) >= hour,
  );
}

/** The weekday of this number, from 1 for Monday. */
export const weekdayAt = (number: number): Weekday => WEEKDAYS[number - 1] ?? 'mon';

/** The same time on the clock some days earlier; where that day leaves it out, the time that its clock shows instead. */
export const daysEarlier = (now: Date, days: number, timeZone: string): Date =>
  DateTime.fromJSDate(now, { zone: timeZone }).minus({ days }).toJSDate();
