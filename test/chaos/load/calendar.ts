/**
 * Calendars of the run's own: time zones whose offset from UTC is any number of seconds, even days, so that midnight,
 * and a Monday or a 1st, come when a run needs them. Zones of the tz database have whole quarters of an hour, and the
 * next Monday may be days away. All clocks stay as they are: only the date of an instant in such a zone differs.
 */
import type { Instant } from '../evidence/evidence.js';
import type { Random } from '../prng.js';

/** What a midnight begins in addition to the day. */
export const TURNS = ['day', 'week', 'month', 'week and month'] as const;
export type Turn = (typeof TURNS)[number];

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A 1st that is a Monday comes within this many days. */
const DAYS_MAX = 1_100;

/** Most midnights begin only a day: waiting leads are already counted in the longer windows. */
const WEIGHTS: readonly (readonly [Turn, number])[] = [
  ['day', 5],
  ['week', 2],
  ['month', 2],
  ['week and month', 1],
];

export const drawTurn = (random: Random): Turn => random.weighted(WEIGHTS);

/** The name of a zone in which a day begins at that second: the nearest day that also begins this. */
export function zoneWithMidnight(at: Instant, turn: Turn): string {
  const second = Math.floor(at / SECOND_MS) * SECOND_MS;
  return nameOf(nearestDay(second, (day) => turnOf(day) === turn) - second);
}

/** The name of a zone in which some day begins at that second, with the smallest offset from UTC. */
export function zoneWithNextMidnight(at: Instant): string {
  const second = Math.floor(at / SECOND_MS) * SECOND_MS;
  return nameOf(nearestDay(second, () => true) - second);
}

/** The beginning of the nearest such day of UTC. */
function nearestDay(at: Instant, is: (day: Instant) => boolean): Instant {
  const nearest = Math.round(at / DAY_MS) * DAY_MS;
  for (let away = 0; away <= DAYS_MAX; away += 1) {
    const found = [nearest - away * DAY_MS, nearest + away * DAY_MS].find(is);
    if (found !== undefined) return found;
  }
  throw new Error('No such day is near');
}

function turnOf(day: Instant): Turn {
  const date = new Date(day);
  const isMonday = date.getUTCDay() === 1;
  const isFirst = date.getUTCDate() === 1;
  if (isMonday && isFirst) return 'week and month';
  if (isMonday) return 'week';
  return isFirst ? 'month' : 'day';
}

const PREFIX = 'Chaos/UTC';

const nameOf = (offsetMs: number): string =>
  `${PREFIX}${offsetMs < 0 ? '-' : '+'}${Math.abs(offsetMs) / SECOND_MS}`;

/** Milliseconds that its clock is ahead of UTC; null for any other zone. */
export function offsetOf(timeZone: string | undefined): number | null {
  if (!timeZone?.startsWith(PREFIX)) return null;
  const seconds = Number(timeZone.slice(PREFIX.length));
  return Number.isInteger(seconds) ? seconds * SECOND_MS : null;
}

/** The date there, `2026-11-21`, by the checker's own arithmetic; UTC by default. */
export const dayAt = (at: Instant, timeZone = 'UTC'): string =>
  new Date(at + (offsetOf(timeZone) ?? 0)).toISOString().slice(0, 10);

/** The hour there, by the instant of its first minute. */
export function hourAt(at: Instant, timeZone = 'UTC'): string {
  const offset = offsetOf(timeZone) ?? 0;
  const full = Math.floor((at + offset) / HOUR_MS) * HOUR_MS - offset;
  return new Date(full).toISOString().replace('.000Z', 'Z');
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** The weekday of a day of the record. */
export const weekdayOf = (day: string): (typeof DAYS)[number] =>
  DAYS[new Date(`${day}T00:00:00Z`).getUTCDay()] ?? 'sun';

/** The Monday on which its week began, and its month, in the format of the record. */
export function longerWindows(day: string): { week: string; month: string } {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  const monday = new Date(date.getTime() - sinceMonday * DAY_MS).toISOString().slice(0, 10);
  return { week: `W${monday}`, month: day.slice(0, 7) };
}

/**
 * Teaches this process these zones. The service and its libraries take a date apart in a time zone only by
 * `formatToParts`, so this is the one seam.
 */
export function installCalendars(): void {
  const Native = Intl.DateTimeFormat;
  class OwnFormat extends Native {
    readonly #timeZone: string | undefined;
    readonly #offset: number;

    constructor(locales?: string | string[], options: Intl.DateTimeFormatOptions = {}) {
      const offset = offsetOf(options.timeZone);
      super(locales, offset === null ? options : { ...options, timeZone: 'UTC' });
      this.#timeZone = offset === null ? undefined : options.timeZone;
      this.#offset = offset ?? 0;
    }

    override formatToParts(at: Date | number = Date.now()): Intl.DateTimeFormatPart[] {
      return super.formatToParts(Number(at) + this.#offset);
    }

    override resolvedOptions(): Intl.ResolvedDateTimeFormatOptions {
      const options = super.resolvedOptions();
      return { ...options, timeZone: this.#timeZone ?? options.timeZone };
    }
  }
  Intl.DateTimeFormat = OwnFormat as unknown as typeof Intl.DateTimeFormat;
}
