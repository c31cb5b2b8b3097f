/** Days of an account: calendar days in its time zone, `2026-11-21`. */
import { DateTime } from 'luxon';

/**
 * When a day begins and when the next one does. A day with a change of clocks has 23 or 25 hours; where midnight
 * does not exist, it begins when the clocks went on.
 * @throws {RangeError} when `day` is no calendar day or the zone no IANA name
 */
export function spanOfDay(day: string, timeZone: string): { from: Date; to: Date } {
  const midnight = DateTime.fromISO(day, { zone: timeZone });
  if (!midnight.isValid) throw new RangeError(`${day} in ${timeZone} is no day of the calendar`);
  return { from: startOf(midnight), to: startOf(midnight.plus({ days: 1 })) };
}

/** Where clocks go back over midnight, there are two: the day begins with the first. */
function startOf(day: DateTime): Date {
  const times = day.startOf('day').getPossibleOffsets();
  return new Date(Math.min(...times.map((time) => time.toMillis())));
}

/** The day so many days later, or earlier (below 0). */
export const dayAfter = (day: string, days: number): string =>
  DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd');

/** How many days from one to the other, both counted; 0 or less when they are the wrong way round. */
export const daysBetween = (from: string, to: string): number =>
  DateTime.fromISO(to, { zone: 'utc' }).diff(DateTime.fromISO(from, { zone: 'utc' }), 'days').days +
  1;
