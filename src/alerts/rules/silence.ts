/**
 * When a supplier is silent that usually is not. It is compared with itself, at the same hours by the account's clock on the
 * same weekday of the four weeks before: nights, weekends and opening hours explain themselves.
 */
import { DateTime } from 'luxon';

/** The shorter is asked first: a busy supplier is missed within hours, a quiet one within a day. */
export const SILENT_HOURS = [3, 24] as const;
export type SilentHours = (typeof SILENT_HOURS)[number];

const WEEKS = [1, 2, 3, 4] as const;
/** A supplier that sends so many leads in a span sends none by chance once in 150 times. */
export const USUAL_LEADS = 5;
/** Of four weeks, those in which it must have sent so many. */
const USUAL_WEEKS = 3;

const HOUR_MS = 3_600_000;

/** For how many of these hours the last lead is past, the longest span first counted last; empty: it is not silent. */
export const spansSince = (lastLead: Date, now: Date): SilentHours[] =>
  SILENT_HOURS.filter((hours) => Number(now) - Number(lastLead) >= hours * HOUR_MS);

export interface Span {
  /** Exclusive. */
  from: Date;
  to: Date;
}

/** The same hours of the weeks before, by the clock of the zone: also where it was changed in the meantime. */
export const sameHoursBefore = (now: Date, hours: SilentHours, timeZone: string): Span[] =>
  WEEKS.map((weeks) => {
    const to = DateTime.fromJSDate(now, { zone: timeZone }).minus({ weeks });
    return { from: to.minus({ hours }).toJSDate(), to: to.toJSDate() };
  });

/** Whether a supplier that sent these numbers of leads in such spans usually sends some. */
export const isUsual = (counts: readonly number[]): boolean =>
  counts.filter((count) => count >= USUAL_LEADS).length >= USUAL_WEEKS;
