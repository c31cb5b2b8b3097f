/** The leads of today beside those of yesterday, and suppliers that have stopped sending. */
import { dayAfter, dayEarlier, startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { Micros } from '../fields/money.js';
import { findLastLeadAt, sumLeads, type LeadSum } from '../leads/store/leadSums.js';
import { SOLD_STATUSES } from '../leads/rules/leadStatus.js';
import type { RollDeps } from './countBatches.js';
import { isSoldStatus, total } from './rules/rollups.js';
import { readReport, type ReportRow } from './report.js';

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
  uncounted: number;
}

/** Of the organization, by the day in which a lead was received. */
export async function readTodayFigures(
  deps: RollDeps,
  orgId: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<TodayFigures> {
  const { day } = windowKeys(now, timeZone);
  const yesterday = dayAfter(day, -1);
  const span = { from: startOfDay(yesterday, timeZone), before: dayEarlier(now, timeZone) };
  const [report, sums] = await Promise.all([
    readReport(deps, { orgId, from: yesterday, to: day }, 'day'),
    sumLeads(deps.collections.leads, orgId, span),
  ]);
  const of = (which: string) => ofRows(report.rows.filter(({ key }) => key === which));
  return {
    date: day,
    today: of(day),
    yesterday: of(yesterday),
    untilNow: sums && ofSums(sums),
    uncounted: report.uncounted,
  };
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

/** A supplier that sent leads in these days before and has sent none for a day is silent. */
const DAYS_BEFORE = 7;
const SILENT_MS = 86_400_000;
/** Suppliers that are looked at: those that sent most. */
const LOOKED_AT_MAX = 50;

export interface SilentSupplier {
  supplier_id: string;
  last_lead_at: Date;
}

/** Suppliers that sent leads within the last 7 days, and none for 24 hours; those that sent most come first. */
export async function findSilentSuppliers(
  deps: RollDeps,
  orgId: string,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<SilentSupplier[]> {
  const { day } = windowKeys(now, timeZone);
  const read = (from: string, to: string) => readReport(deps, { orgId, from, to }, 'supplier');
  const [earlier, today] = await Promise.all([
    read(dayAfter(day, -DAYS_BEFORE), dayAfter(day, -1)),
    read(day, day),
  ]);
  const sends = new Set(today.rows.map(({ key }) => key));
  const leadsOf = new Map<string, number>();
  for (const { key, leads } of earlier.rows)
    if (key !== null && !sends.has(key)) leadsOf.set(key, (leadsOf.get(key) ?? 0) + leads);
  const candidates = [...leadsOf].sort(([, a], [, b]) => b - a).slice(0, LOOKED_AT_MAX);
  const since = Number(now) - SILENT_MS;
  const found = await Promise.all(
    candidates.map(async ([supplier_id]) => ({
      supplier_id,
      last_lead_at: await findLastLeadAt(deps.collections.leads, orgId, supplier_id),
    })),
  );
  return found.flatMap(({ supplier_id, last_lead_at }) =>
    last_lead_at && Number(last_lead_at) < since ? [{ supplier_id, last_lead_at }] : [],
  );
}
