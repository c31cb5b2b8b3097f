/** Days, hours and values as the axes and the tooltip of a chart show them. */
import { useMemo } from 'react';
import { useFormats } from '../../lib/format.js';
import { useSession } from '../../lib/session.js';
import type { Unit } from './model.js';

export interface ChartTexts {
  /** What the points are: the head of the first column of the table. */
  kind: 'Day' | 'Hour' | 'Name';
  /** A point in full. */
  point(at: string): string;
  /** A point on the axis, where there is little room. */
  tick(at: string): string;
  value(value: number): string;
  /** A value on the axis: `$4k`. */
  short(value: number): string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** An hour of whatever day. */
const HOUR_OF_DAY = /^[0-2]\d$/;
const INSTANT = /^\d{4}-\d\d-\d\dT/;
const LOCALE = 'en-US';

export function useChartTexts(points: readonly { at: string }[], unit: Unit): ChartTexts {
  const formats = useFormats();
  const { time_zone: timeZone, currency } = useSession().me.organization;
  const first = points[0]?.at ?? '';
  const last = points.at(-1)?.at ?? '';
  return useMemo(() => {
    const values = { value: formats[unit], short: shortFor(unit, currency) };
    if (DAY.test(first)) {
      const day = new Intl.DateTimeFormat(LOCALE, {
        month: 'short',
        day: 'numeric',
        timeZone: 'UTC',
      });
      const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', timeZone: 'UTC' });
      return {
        kind: 'Day',
        point: (at) => `${weekday.format(midnightOf(at))}, ${formats.date(at)}`,
        tick: (at) => day.format(midnightOf(at)),
        ...values,
      };
    }
    if (HOUR_OF_DAY.test(first) && HOUR_OF_DAY.test(last))
      return { kind: 'Hour', point: clockText, tick: clockText, ...values };
    if (!INSTANT.test(first))
      return { kind: 'Name', point: (at) => at, tick: (at) => shortened(at), ...values };
    const hour = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', timeZone });
    const isOneDay = formats.day(first) === formats.day(last);
    return {
      kind: 'Hour',
      point: isOneDay ? (at) => hour.format(new Date(at)) : (at) => formats.time(at),
      tick: (at) => hour.format(new Date(at)),
      ...values,
    };
  }, [first, last, unit, formats, timeZone, currency]);
}

/** `00` is 12 AM. */
function clockText(hour: string): string {
  const number = Number(hour);
  if (Number.isNaN(number)) return hour;
  return `${number % 12 === 0 ? 12 : number % 12} ${number < 12 ? 'AM' : 'PM'}`;
}

const midnightOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

const TICK_LENGTH = 12;
const shortened = (text: string): string =>
  text.length > TICK_LENGTH ? `${text.slice(0, TICK_LENGTH - 1)}…` : text;

/** Whole percents, and thousands as `k`. */
function shortFor(unit: Unit, currency: string): (value: number) => string {
  const format = new Intl.NumberFormat(LOCALE, optionsFor(unit, currency));
  return (value) => format.format(value).replace('K', 'k');
}

const optionsFor = (unit: Unit, currency: string): Intl.NumberFormatOptions => {
  if (unit === 'percent') return { style: 'percent', maximumFractionDigits: 1 };
  const compact = { notation: 'compact', maximumFractionDigits: 1 } as const;
  if (unit === 'number') return compact;
  return { ...compact, style: 'currency', currency, currencyDisplay: 'narrowSymbol' };
};
