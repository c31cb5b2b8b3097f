/** Days of the account's calendar as spans of time. */
import { windowKeys } from './windowKeys.js';

const SECOND = 1_000;
/** No zone was ever further from UTC. */
const OFFSET_MAX = 16 * 3_600 * SECOND;

/**
 * The first instant of a day, by the clock that caps are counted by. A midnight that a clock change leaves out or
 * repeats, and a day that a zone has left out altogether, begin with the first instant that is not of an earlier day.
 * @param day YYYY-MM-DD
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function startOfDay(day: string, timeZone: string): Date {
  const midnight = Number(new Date(`${day}T00:00:00Z`));
  let [before, from] = [midnight - OFFSET_MAX, midnight + OFFSET_MAX];
  while (from - before > SECOND) {
    const middle = before + Math.floor((from - before) / 2 / SECOND) * SECOND;
    if (windowKeys(new Date(middle), timeZone).day < day) before = middle;
    else from = middle;
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
