/** Reads a schedule as a person writes it, or says what is wrong with it. */
import { WEEKDAYS } from './schedule.js';
import type { Schedule, ScheduleWindow, Weekday } from './schedule.js';

/** A window as it is written: days in any case and also by their full names, times as `HH:MM`. */
export interface ScheduleWindowInput {
  days: readonly string[];
  from: string;
  to: string;
}

/** One window, or several of which any is enough. */
export type ScheduleInput = ScheduleWindowInput | readonly ScheduleWindowInput[];

export type Checked<T> = { ok: true; value: T } | { ok: false; problems: string[] };

const FULL_NAMES = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
const MOST_WINDOWS = 50;
const TIME = /^([0-9]{1,2}):([0-9]{2})$/;
const KEYS: readonly string[] = ['days', 'from', 'to'];

/**
 * The normal form, or every problem in a sentence each. `name` is what the schedule is called in them, such
 * as `schedule`. Whole days become 00:00 to 24:00, and the days of a window come in the order of the week.
 */
export function checkSchedule(input: unknown, name: string): Checked<Schedule> {
  const windows: unknown[] = Array.isArray(input) ? input : [input];
  if (windows.length === 0) {
    return failed([`${name} must have a window; leave it out to be always open`]);
  }
  if (windows.length > MOST_WINDOWS) {
    return failed([`${name} must have at most ${MOST_WINDOWS} windows`]);
  }
  const problems: string[] = [];
  const value = windows.flatMap((window, index) => {
    const checked = checkWindow(window, Array.isArray(input) ? `${name}[${index}]` : name);
    if (checked.ok) return [checked.value];
    problems.push(...checked.problems);
    return [];
  });
  return problems.length > 0 ? failed(problems) : { ok: true, value };
}

const failed = (problems: string[]): { ok: false; problems: string[] } => ({
  ok: false,
  problems,
});

function checkWindow(window: unknown, name: string): Checked<ScheduleWindow> {
  if (typeof window !== 'object' || window === null || Array.isArray(window)) {
    return failed([`${name} must be { days, from, to }, such as ${EXAMPLE}`]);
  }
  const given: Record<string, unknown> = { ...window };
  const problems = Object.keys(given)
    .filter((key) => !KEYS.includes(key))
    .map((key) => `${name} has an unknown key "${key.slice(0, 40)}"; a window has days, from, to`);
  const days = readDays(given.days);
  if (typeof days === 'string') problems.push(`${name}.days ${days}`);
  const from = readTime(given.from, 23);
  if (from === null) problems.push(`${name}.from must be a time from "00:00" to "23:59"`);
  const to = readTime(given.to, 24);
  if (to === null) problems.push(`${name}.to must be a time from "00:00" to "24:00"`);
  if (typeof days === 'string' || from === null || to === null || problems.length > 0) {
    return failed(problems);
  }
  const wholeDay = from === to;
  return {
    ok: true,
    value: { days, from: wholeDay ? '00:00' : from, to: wholeDay ? '24:00' : to },
  };
}

const EXAMPLE = '{ "days": ["mon", "tue"], "from": "08:00", "to": "18:00" }';

function readDays(input: unknown): Weekday[] | string {
  if (!Array.isArray(input) || input.length === 0) {
    return 'must list at least one day, such as ["mon", "tue"]';
  }
  const days = new Set<Weekday>();
  for (const item of input as unknown[]) {
    const day = readDay(item);
    if (day === undefined) {
      const shown = typeof item === 'string' ? `"${item.slice(0, 20)}"` : 'one of them';
      return `must be days of the week, mon to sun; ${shown} is none`;
    }
    days.add(day);
  }
  return WEEKDAYS.filter((day) => days.has(day));
}

function readDay(input: unknown): Weekday | undefined {
  if (typeof input !== 'string') return undefined;
  const name = input.trim().toLowerCase();
  return WEEKDAYS.find((day, index) => day === name || FULL_NAMES[index] === name);
}

/** `HH:MM` with two digits each, or null; 24 is an hour only as 24:00. */
function readTime(input: unknown, lastHour: 23 | 24): string | null {
  if (typeof input !== 'string') return null;
  const parts = TIME.exec(input.trim());
  const [hours, minutes] = [Number(parts?.[1] ?? NaN), Number(parts?.[2] ?? NaN)];
  const isTime = minutes <= 59 && (hours <= 23 || (hours === lastHour && minutes === 0));
  return isTime ? `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}` : null;
}
