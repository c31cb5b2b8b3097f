/**
 * Schedules in words: `mon-fri 9-17; sat 10-14`. A window has days, times or both: without days it is every day, without
 * times the whole day.
 */
import { WEEKDAYS, type Weekday } from '../../../src/fields/days.js';
import type { Schedule } from '../../../src/fields/scheduleSchema.js';
import { ShortFormFault, shown, splitAt, trimmed, type Piece } from './fault.js';

type Window = Schedule[number];

const WHOLE_DAY = { from: '00:00', to: '24:00' };
const DAILY = 'daily';
const DAY_RULE = 'days are mon to sun, or a range such as mon-fri, with commas between; or daily';
const TIME_RULE = 'times are a range such as 9-17, 9:30-17:00 or 9am-5pm';

/**
 * @returns its normal form: days in the order of the week, times with two digits
 * @throws {ShortFormFault} naming the first part that is neither days nor times
 */
export function parseSchedule(text: string): Schedule {
  const windows = splitAt(';', { text, at: 0 }).filter((one) => one.text !== '');
  if (windows.length === 0) throw new ShortFormFault(`it is empty: ${DAY_RULE}; ${TIME_RULE}`, 0);
  return windows.flatMap(readWindow);
}

/** Names of days have no digits, and times begin with one. */
function readWindow({ text, at }: Piece): Window[] {
  const split = text.search(/\d/);
  const end = split === -1 ? text.length : split;
  const days = readDays(trimmed({ text: text.slice(0, end), at }));
  if (split === -1) return [{ days, ...WHOLE_DAY }];
  return splitAt(',', { text: text.slice(end), at: at + end }).map((times) => ({
    days,
    ...readTimes(times),
  }));
}

function readDays(piece: Piece): Weekday[] {
  if (piece.text === '' || piece.text.toLowerCase() === DAILY) return [...WEEKDAYS];
  const days = new Set(splitAt(',', piece).flatMap(readRange));
  return WEEKDAYS.filter((day) => days.has(day));
}

/** `fri-mon` goes over the end of the week. */
function readRange(piece: Piece): Weekday[] {
  const [from, to, ...more] = splitAt('-', piece);
  if (!from || more.length > 0)
    throw new ShortFormFault(`${shown(piece.text)} is no range: ${DAY_RULE}`, piece.at);
  const first = WEEKDAYS.indexOf(readDay(from));
  const last = to ? WEEKDAYS.indexOf(readDay(to)) : first;
  const count = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length: count }, (_, n) => WEEKDAYS[(first + n) % WEEKDAYS.length] ?? 'mon');
}

const FULL_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'monday',
  tue: 'tuesday',
  wed: 'wednesday',
  thu: 'thursday',
  fri: 'friday',
  sat: 'saturday',
  sun: 'sunday',
};

function readDay({ text, at }: Piece): Weekday {
  const name = text.toLowerCase();
  const day = WEEKDAYS.find((one) => one === name || FULL_NAMES[one] === name);
  if (day !== undefined) return day;
  throw new ShortFormFault(`${shown(text)} is no day: ${DAY_RULE}`, at);
}

function readTimes(piece: Piece): typeof WHOLE_DAY {
  const [from, to, ...more] = splitAt('-', piece);
  if (!from || !to || more.length > 0)
    throw new ShortFormFault(`${shown(piece.text)} is no range: ${TIME_RULE}`, piece.at);
  const times = { from: readTime(from, 23), to: readTime(to, 24) };
  return times.from === times.to ? WHOLE_DAY : times;
}

/** @param most the last hour; midnight at the end of a day is 24:00 */
function readTime({ text, at }: Piece, most: number): string {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?::([0-5]\d))?\s*([ap]m)?$/i.exec(text) ?? [];
  const hour = hours === undefined ? NaN : hourOf(Number(hours), half?.toLowerCase());
  const isTime = hour < most || (hour === most && (most < 24 || minutes === '00'));
  if (isTime) return `${String(hour).padStart(2, '0')}:${minutes}`;
  const rule = `a time is 0:00 to ${most === 24 ? '24:00' : '23:59'}, or 12am to 11:59pm`;
  throw new ShortFormFault(`${shown(text)} is no time: ${rule}`, at);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return NaN;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** In words, which read again are the same. @param schedule in its normal form */
export const formatSchedule = (schedule: Schedule): string =>
  schedule
    .map(({ days, from, to }) => {
      const isWhole = from === WHOLE_DAY.from && to === WHOLE_DAY.to;
      return isWhole ? daysText(days) : `${daysText(days)} ${timeText(from)}-${timeText(to)}`;
    })
    .join('; ');

const timeText = (time: string): string => time.replace(/^0/, '').replace(/:00$/, '');

function daysText(days: readonly Weekday[]): string {
  if (days.length === WEEKDAYS.length) return DAILY;
  const runs: Weekday[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    const follows = run && WEEKDAYS.indexOf(day) === WEEKDAYS.indexOf(run.at(-1) ?? day) + 1;
    if (follows) run.push(day);
    else runs.push([day]);
  }
  return runs
    .map((run) => (run.length > 2 ? `${run[0] ?? ''}-${run.at(-1) ?? ''}` : run.join(',')))
    .join(',');
}
