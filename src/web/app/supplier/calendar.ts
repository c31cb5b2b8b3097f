/** Calendar days, `YYYY-MM-DD`, in the time zone of the account. */

/** Whether the text is a day of the calendar: a field that is being typed into reports the year 2 on the way to 2026. */
export function isDay(text: string | undefined): text is string {
  if (text === undefined || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  // Some engines read the 30th of February as a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The current day in a time zone. */
export const todayIn = (timeZone: string, now: Date = new Date()): string =>
  // The Swedish form of a date is ISO's.
  new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now);

/** The day `count` days earlier; later, if negative. */
export function daysBefore(day: string, count: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - count);
  return at.toISOString().slice(0, 10);
}

/** Days from one to the other, both included. */
export const daysIn = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;

/** The instant at which a day begins in a time zone, as ISO's UTC. */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offBy = (at: number): number => midnight - wallClock(at, timeZone);
  const guess = midnight + offBy(midnight);
  // The first step may cross the hour at which clocks change.
  const corrected = guess + offBy(guess);
  // Clocks that go forward at midnight never show it: the day begins with the change, the later of the two.
  const begins = offBy(corrected) === 0 ? corrected : Math.max(guess, corrected);
  return new Date(begins).toISOString();
}

/** The wall clock of the zone at an instant, as if it were UTC's. */
function wallClock(at: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(at);
  return Date.parse(`${shown.replace(' ', 'T')}Z`);
}
