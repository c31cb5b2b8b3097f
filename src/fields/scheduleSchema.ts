/** A schedule as a person writes it: one schema checks it, brings it into its normal form, and is published. */
import { z } from 'zod';
import { objectRules } from '../lib/schema/sentences.js';
import { WEEKDAYS, type Weekday } from './days.js';

const FULL_NAMES = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
const WINDOWS_MAX = 50;
const FORM =
  'must be { days, from, to }, such as { "days": ["mon", "tue"], "from": "08:00", "to": "18:00" }';

const SOME_DAY = 'must list at least one day, such as ["mon", "tue"]';
const Days = z
  .array(z.string('must be a day of the week, mon to sun'), SOME_DAY)
  .min(1, SOME_DAY)
  .describe('mon to sun, or their full names')
  .transform((written, context): Weekday[] => {
    const days = written.map(readDay);
    const stray = written[days.indexOf(undefined)];
    if (stray === undefined) return WEEKDAYS.filter((day) => days.includes(day));
    const message = `must be days of the week, mon to sun; "${stray.slice(0, 20)}" is not one`;
    context.addIssue({ code: 'custom', message, input: written });
    return z.NEVER;
  });

const time = (form: RegExp, last: string, description: string) => {
  const rule = `must be a time from "00:00" to "${last}"`;
  return z
    .string(rule)
    .trim()
    .regex(form, rule)
    .describe(description)
    .transform((text) => text.padStart(5, '0'));
};

const Window = z
  .strictObject(
    {
      days: Days,
      from: time(/^(?:[01]?[0-9]|2[0-3]):[0-5][0-9]$/, '23:59', 'HH:MM'),
      to: time(/^(?:(?:[01]?[0-9]|2[0-3]):[0-5][0-9]|24:00)$/, '24:00', 'HH:MM, up to 24:00'),
    },
    objectRules('a window has days, from, to', FORM),
  )
  .transform((window) => (window.from === window.to ? { ...window, ...WHOLE_DAY } : window));

const WHOLE_DAY = { from: '00:00', to: '24:00' };

/**
 * One window, or several of which any is enough. In the normal form, days come once and in the order of the week,
 * times have two digits each, and a window whose times are equal is the whole day, 00:00 to 24:00. A window whose
 * `from` is after its `to` runs over midnight and belongs to the day it begins on. The normal form, parsed again, is
 * the same.
 */
export const Schedule = z
  .union(
    [
      Window,
      z
        .array(Window)
        .min(1, 'must have a window; leave it out to be always open')
        .max(WINDOWS_MAX, `must have at most ${WINDOWS_MAX} windows`),
    ],
    FORM,
  )
  .meta({ examples: [{ days: ['mon', 'tue'], from: '08:00', to: '18:00' }] })
  .transform((written) => (Array.isArray(written) ? written : [written]));

export type Schedule = z.output<typeof Schedule>;
export type ScheduleWindowInput = z.input<typeof Window>;

function readDay(text: string): Weekday | undefined {
  const name = text.trim().toLowerCase();
  return WEEKDAYS.find((day, index) => day === name || FULL_NAMES[index] === name);
}
