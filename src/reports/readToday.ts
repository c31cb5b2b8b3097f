/** The leads of today beside those of yesterday and of a week ago, and suppliers that have stopped sending. */
import { dayAfter, daysEarlier, hourOf, startOfDay, startOfHour } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { Micros } from '../fields/money.js';
import { findLastLeadsAt, sumLeads, type LeadSum } from '../leads/store/leadSums.js';
import { SOLD_STATUSES } from '../leads/rules/leadStatus.js';
import type { RollDeps } from './countBatches.js';
import { isSoldStatus, total } from './rules/rollups.js';
import { readReport, type ReportRow } from './report.js';
import { DAYS_SHOWN } from './partyDays.js';
import { silentSince } from './rules/silence.js';

/** The figures of a day, or of a part of it; money in micro-units. */
export interface DayFigures {
  total_leads: number;
  accepted: number;
  pending: number;
  unmatched: number;
  duplicate: number;
  rejected: number;
  expired: number;
  sales: number;
  revenue: Micros;
  cost: Micros;
}

export interface TodayFigures {
  /** YYYY-MM-DD in the account's time zone. */
  date: string;
  today: DayFigures;
  yesterday: DayFigures;
  /** Yesterday up to the same time on the clock, by what the leads are now; null: too many to read in time. */
  untilNow: DayFigures | null;
  /** The same of the day a week ago. */
  lastWeekUntilNow: DayFigures | null;
  /** Every hour of the clock. */
  hours: HourFigures[];
  uncounted: number;
}

export interface HourFigures {
  /** `00` to `23` */
  hour: string;
  /** Null: it has not begun. */
  today: DayFigures | null;
  /** Null: an earlier release counted leads of that day without their hours. */
  lastWeek: DayFigures | null;
}

/** Of the organization, by the day in which a lead was received. */
export async function readTodayFigures(
  deps: RollDeps,
  orgId: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<TodayFigures> {
  const { day } = windowKeys(now, timeZone);
  const yesterday = dayAfter(day, -1);
  const at = { now, timeZone };
  const read = (from: string, to: string, by: 'day' | 'hour') =>
    readReport(deps, { orgId, from, to }, by);
  const [report, ofToday, lastWeek, untilNow, lastWeekUntilNow] = await Promise.all([
    read(yesterday, day, 'day'),
    read(day, day, 'hour'),
    read(dayAfter(day, -7), dayAfter(day, -7), 'hour'),
    readUntil(deps, orgId, at, 1),
    readUntil(deps, orgId, at, 7),
  ]);
  const of = (which: string) => ofRows(report.rows.filter(({ key }) => key === which));
  return {
    date: day,
    today: of(day),
    yesterday: of(yesterday),
    untilNow,
    lastWeekUntilNow,
    hours: hoursOf(ofToday.rows, lastWeek.rows, hourOf(now, timeZone)),
    uncounted: report.uncounted,
  };
}

/** The day so many days ago, up to the same time: whole hours from the sums, and the rest of an hour from its leads. */
async function readUntil(
  deps: RollDeps,
  orgId: string,
  { now, timeZone }: { now: Date; timeZone: string },
  days: number,
): Promise<DayFigures | null> {
  const before = daysEarlier(now, days, timeZone);
  const { day } = windowKeys(before, timeZone);
  const { rows } = await readReport(deps, { orgId, from: day, to: day }, 'hour');
  const isWhole = hasHours(rows);
  const from = isWhole ? startOfHour(before, timeZone) : startOfDay(day, timeZone);
  const sums = await sumLeads(deps.collections.leads, orgId, { from, before });
  if (!sums) return null;
  const hour = padded(hourOf(before, timeZone));
  const whole = isWhole ? rows.filter(({ key }) => key !== null && key < hour) : [];
  return added(ofRows(whole), ofSums(sums));
}

/** Each lead is in its hour. */
const hasHours = (rows: readonly ReportRow[]): boolean => rows.every(({ key }) => key !== null);

const padded = (hour: number): string => String(hour).padStart(2, '0');

function hoursOf(
  today: readonly ReportRow[],
  lastWeek: readonly ReportRow[],
  now: number,
): HourFigures[] {
  const isKnown = hasHours(lastWeek);
  return Array.from({ length: 24 }, (_, nth) => {
    const hour = padded(nth);
    const of = (rows: readonly ReportRow[]) => ofRows(rows.filter(({ key }) => key === hour));
    return {
      hour,
      today: nth <= now ? of(today) : null,
      lastWeek: isKnown ? of(lastWeek) : null,
    };
  });
}

const FIGURES = [
  'total_leads',
  'accepted',
  'pending',
  'unmatched',
  'duplicate',
  'rejected',
  'expired',
  'sales',
  'revenue',
  'cost',
] as const satisfies readonly (keyof DayFigures)[];

function added(a: DayFigures, b: DayFigures): DayFigures {
  const sum = { ...a };
  for (const name of FIGURES) sum[name] = a[name] + b[name];
  return sum;
}

function ofRows(rows: readonly ReportRow[]): DayFigures {
  const leads = (...of: ReportRow['status'][]) =>
    total(rows.filter(({ status }) => of.includes(status))).leads;
  const { leads: total_leads, sales, revenue, cost } = total(rows);
  return {
    total_leads,
    accepted: total(rows.filter(({ status }) => isSoldStatus(status))).leads,
    pending: leads('PENDING'),
    unmatched: leads('UNMATCHED'),
    duplicate: leads('DUPLICATE'),
    rejected: leads('REJECTED'),
    expired: leads('EXPIRED'),
    sales,
    revenue,
    cost,
  };
}

/** Leads that are not decided yet, and withdrawn ones, are left out, as the roll-ups leave them out. */
function ofSums(sums: readonly LeadSum[]): DayFigures {
  const counted = sums.filter(({ status }) => status !== 'NEW' && status !== 'WITHDRAWN');
  const add = (rows: readonly LeadSum[], key: Exclude<keyof LeadSum, 'status'>) =>
    rows.reduce((sum, row) => sum + row[key], 0);
  const leads = (...of: LeadSum['status'][]) =>
    add(
      counted.filter(({ status }) => of.includes(status)),
      'leads',
    );
  return {
    total_leads: add(counted, 'leads'),
    accepted: leads(...SOLD_STATUSES),
    pending: leads('PENDING'),
    unmatched: leads('UNMATCHED'),
    duplicate: leads('DUPLICATE'),
    rejected: leads('REJECTED'),
    expired: leads('EXPIRED'),
    sales: add(counted, 'sales'),
    revenue: add(counted, 'revenue'),
    cost: add(counted, 'cost'),
  };
}

/** Suppliers that are looked at: those that sent most. */
const LOOKED_AT_MAX = 50;

export interface SilentSupplier {
  supplier_id: string;
  last_lead_at: Date;
}

/** Suppliers that sent leads within the last 7 days, and none for three of their usual gaps; those that sent most come first. */
export async function findSilentSuppliers(
  deps: RollDeps,
  orgId: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<SilentSupplier[]> {
  const { day } = windowKeys(now, timeZone);
  const span = { orgId, from: dayAfter(day, 1 - DAYS_SHOWN), to: day };
  const { rows } = await readReport(deps, span, 'supplier');
  const leadsOf = new Map<string, number>();
  for (const { key, leads } of rows)
    if (key !== null) leadsOf.set(key, (leadsOf.get(key) ?? 0) + leads);
  const candidates = [...leadsOf].sort(([, a], [, b]) => b - a).slice(0, LOOKED_AT_MAX);
  const ids = candidates.map(([supplier_id]) => supplier_id);
  const last = await findLastLeadsAt(deps.collections.leads, orgId, ids);
  return candidates.flatMap(([supplier_id, leads]) => {
    const last_lead_at = last.get(supplier_id);
    return last_lead_at && silentSince({ leads, days: DAYS_SHOWN }, last_lead_at, now) !== null
      ? [{ supplier_id, last_lead_at }]
      : [];
  });
}
