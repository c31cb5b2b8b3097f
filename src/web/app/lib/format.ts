/** Values as people read them: times in the account's time zone, money in its currency. */
import { useMemo } from 'react';
import { useSession } from './session.js';

export interface Formats {
  /** Day and time of an instant. */
  time(at: string | number | Date): string;
  /** The day of an instant. */
  day(at: string | number | Date): string;
  /** A calendar day, `YYYY-MM-DD`, which is in no zone. */
  date(day: string): string;
  /** An amount in the account's currency. */
  money(amount: number): string;
  /** An amount that stands out: without cents where they are lost in it. */
  sum(amount: number): string;
  number(value: number): string;
  /** A share between 0 and 1. */
  percent(share: number): string;
  /** How long ago, or how long until then: `3 minutes ago`, `in 2 hours`. */
  relative(at: string | number | Date): string;
  /** As a person writes it, such as `America/New York`. */
  zone: string;
}

/** Fixed, so that texts sort and format the same on every machine: the pages are English. */
const LOCALE = 'en-US';

/** Amounts from here on stand out without cents. */
const WHOLE_FROM = 10_000;

function formatsFor(timeZone: string, currency: string): Formats {
  const time = new Intl.DateTimeFormat(LOCALE, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone });
  const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
  const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const whole = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    maximumFractionDigits: 0,
  });
  const number = new Intl.NumberFormat(LOCALE);
  const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
  return {
    time: (at) => time.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    date: (text) => date.format(new Date(`${text}T00:00:00Z`)),
    money: (amount) => money.format(amount),
    sum: (amount) => (Math.abs(amount) < WHOLE_FROM ? money : whole).format(amount),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    relative: (at) => relativeTo(new Date(at).getTime(), Date.now()),
    zone: timeZone.replaceAll('_', ' '),
  };
}

const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

function relativeTo(at: number, now: number): string {
  const [unit, ms] = UNITS.find(([, size]) => Math.abs(at - now) >= size) ?? ['second', 1_000];
  return RELATIVE.format(Math.round((at - now) / ms), unit);
}

export function useFormats(): Formats {
  const { time_zone, currency } = useSession().me.organization;
  return useMemo(() => formatsFor(time_zone, currency), [time_zone, currency]);
}
