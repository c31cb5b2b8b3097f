/** Schedules: weekly windows on the wall clock of the account, and when they open next. */
import { IANAZone } from 'luxon';
import type { Schedule } from './scheduleSchema.js';
import { WEEKDAYS } from './days.js';

export type { Schedule } from './scheduleSchema.js';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const WEEK = 7 * DAY;
/** 1 January 1970 was a Thursday. */
const MONDAY_TO_EPOCH = 3 * DAY;

/**
 * Whether the wall clock shows a time inside the schedule. A time that a clock change repeats counts both
 * times; one that it leaves out never comes.
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function isOpenAt(schedule: Schedule, now: Date, timeZone: string): boolean {
  return untilOpen(schedule, timeOfWeek(Number(now), timeZone)) === 0;
}

/**
 * The first instant, `now` or later, at which the schedule is open; null when it has no window.
 * @throws {RangeError} when the time zone is not an IANA name
 */
export function nextOpening(schedule: Schedule, now: Date, timeZone: string): Date | null {
  let at = Number(now);
  for (;;) {
    const wait = untilOpen(schedule, timeOfWeek(at, timeZone));
    if (wait === 0) return new Date(at);
    if (wait === Infinity) return null;
    // The wall clock runs evenly only up to the next change of the offset.
    at = offsetChange(at, at + wait, timeZone) ?? at + wait;
  }
}

/** What a clock on the account's wall shows, such as `mon 07:30`. */
export function wallClock(now: Date, timeZone: string): string {
  const time = timeOfWeek(Number(now), timeZone);
  const minutes = Math.floor((time % DAY) / MINUTE);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = WEEKDAYS[Math.floor(time / DAY)] ?? '';
  return `${day} ${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A window's place in the week, in milliseconds since Monday 00:00 of the wall clock. */
interface Span {
  start: number;
  length: number;
}

const SPANS = new WeakMap<Schedule, readonly Span[]>();

function spansOf(schedule: Schedule): readonly Span[] {
  const kept = SPANS.get(schedule);
  if (kept) return kept;
  const spans = schedule.flatMap(({ days, from, to }) => {
    const [begin, end] = [timeOfDay(from), timeOfDay(to)];
    const wholeDay = begin === end;
    const start = wholeDay ? 0 : begin;
    const length = wholeDay ? DAY : modulo(end - begin, DAY) || DAY;
    return days.map((day): Span => ({ start: WEEKDAYS.indexOf(day) * DAY + start, length }));
  });
  SPANS.set(schedule, spans);
  return spans;
}

function timeOfDay(text: string): number {
  const [hours, minutes] = text.split(':');
  return (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** 0 while a window is open, else how far the wall clock has to go; Infinity without windows. */
function untilOpen(schedule: Schedule, time: number): number {
  return spansOf(schedule).reduce((least, { start, length }) => {
    const isInside = modulo(time - start, WEEK) < length;
    return Math.min(least, isInside ? 0 : modulo(start - time, WEEK));
  }, Infinity);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

const timeOfWeek = (at: number, timeZone: string): number =>
  modulo(at + offsetAt(at, timeZone) + MONDAY_TO_EPOCH, WEEK);

/** The first instant after `from`, up to `to`, with another offset. No zone changes twice within a week. */
function offsetChange(from: number, to: number, timeZone: string): number | undefined {
  const before = offsetAt(from, timeZone);
  if (offsetAt(to, timeZone) === before) return undefined;
  let [same, changed] = [from, to];
  while (changed - same > 1) {
    const middle = Math.floor((same + changed) / 2);
    if (offsetAt(middle, timeZone) === before) same = middle;
    else changed = middle;
  }
  return changed;
}

/** Asking a zone takes 20 microseconds, and every buyer of every lead asks for the same minute. */
const OFFSETS = new Map<string, Map<number, number>>();
const ZONES_KEPT = 100;
const MINUTES_KEPT = 1_000;

/** Milliseconds that the wall clock is ahead of UTC. Offsets change on whole minutes. */
function offsetAt(at: number, timeZone: string): number {
  const minute = Math.floor(at / MINUTE);
  const known = OFFSETS.get(timeZone) ?? new Map<number, number>();
  const kept = known.get(minute);
  if (kept !== undefined) return kept;
  const offset = IANAZone.create(timeZone).offset(minute * MINUTE) * MINUTE;
  if (Number.isNaN(offset)) throw new RangeError(`${timeZone} is not an IANA time zone`);
  if (known.size >= MINUTES_KEPT) known.clear();
  known.set(minute, offset);
  if (!OFFSETS.has(timeZone) && OFFSETS.size >= ZONES_KEPT) OFFSETS.clear();
  OFFSETS.set(timeZone, known);
  return offset;
}
