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
  number(value: number): string;
  /** A share between 0 and 1. */
  percent(share: number): string;
  /** As a person writes it, such as `America/New York`. */
  zone: string;
}

/** Fixed, so that texts sort and format the same on every machine: the pages are English. */
const LOCALE = 'en-US';

function formatsFor(timeZone: string, currency: string): Formats {
  const time = new Intl.DateTimeFormat(LOCALE, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone });
  const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
  const money = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
  const number = new Intl.NumberFormat(LOCALE);
  const percent = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
  return {
    time: (at) => time.format(new Date(at)),
    day: (at) => day.format(new Date(at)),
    date: (text) => date.format(new Date(`${text}T00:00:00Z`)),
    money: (amount) => money.format(amount),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    zone: timeZone.replaceAll('_', ' '),
  };
}

export function useFormats(): Formats {
  const { time_zone, currency } = useSession().me.organization;
  return useMemo(() => formatsFor(time_zone, currency), [time_zone, currency]);
}
