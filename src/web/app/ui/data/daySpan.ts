/** A span of days in an address: a preset that moves with the days, or two days, `2026-11-01..2026-11-30`. */
import { useSession } from '../../lib/session.js';

/** Days as `YYYY-MM-DD`, both included; undefined: open. */
export interface DaySpan {
  from?: string;
  to?: string;
}

interface Preset {
  value: string;
  label: string;
  /** @param today in the account's time zone */
  span(today: string): DaySpan;
}

const lastDays = (days: number) => (today: string) => ({
  from: daysAfter(today, 1 - days),
  to: today,
});

export const DAY_PRESETS: readonly Preset[] = [
  { value: 'today', label: 'Today', span: lastDays(1) },
  {
    value: 'yesterday',
    label: 'Yesterday',
    span: (today) => ({ from: daysAfter(today, -1), to: daysAfter(today, -1) }),
  },
  { value: '7d', label: 'Last 7 days', span: lastDays(7) },
  { value: '30d', label: 'Last 30 days', span: lastDays(30) },
  { value: '90d', label: 'Last 90 days', span: lastDays(90) },
  { value: 'month', label: 'This month', span: (today) => ({ from: firstOf(today), to: today }) },
  {
    value: 'last_month',
    label: 'Last month',
    span(today) {
      const to = daysAfter(firstOf(today), -1);
      return { from: firstOf(to), to };
    },
  },
];

const CUSTOM = /^(\d{4}-\d{2}-\d{2})?\.\.(\d{4}-\d{2}-\d{2})?$/u;

/** The days of a value of the address; every day for one that means nothing. */
export function readSpan(value: string | undefined, today: string): DaySpan {
  const preset = DAY_PRESETS.find((candidate) => candidate.value === value);
  if (preset) return preset.span(today);
  const [, from, to] = CUSTOM.exec(value ?? '') ?? [];
  return { from, to };
}

/** The value that stands for two days; none for an open span. */
export const writeSpan = ({ from, to }: DaySpan): string | undefined =>
  from || to ? `${from ?? ''}..${to ?? ''}` : undefined;

/** Today's date in the account's time zone. */
export const useToday = (): string => useDateOf()(new Date().toISOString());

/** Gives the date of an instant, `YYYY-MM-DD`, in the account's time zone. */
export function useDateOf(): (at: string) => string {
  const { time_zone: timeZone } = useSession().me.organization;
  return (at) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at));
}

/** The days of a filter's value, in the account's time zone. */
export const useDaySpan = (value: string | undefined): DaySpan => readSpan(value, useToday());

/** A calendar day counts in UTC, where every day has 24 hours. */
function daysAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

const firstOf = (day: string): string => `${day.slice(0, 8)}01`;
