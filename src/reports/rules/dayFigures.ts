/** The figures of a day, or of a part of it, from sums by status. */
import type { Micros } from '../../fields/money.js';
import type { CountedStatus } from '../../leads/rules/contribution.js';
import { SOLD_STATUSES } from '../../leads/rules/leadStatus.js';
import type { LeadSum } from '../../leads/store/leadSums.js';
import { isSoldStatus, totalLine, type LineSums } from './rollups.js';

/** Money in micro-units. */
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

/** Sums of the leads of one status. */
export type StatusLine = LineSums & { status: CountedStatus };

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

/** Both together. */
export function addFigures(a: DayFigures, b: DayFigures): DayFigures {
  const sum = { ...a };
  for (const name of FIGURES) sum[name] = a[name] + b[name];
  return sum;
}

export function figuresOfLines(rows: readonly StatusLine[]): DayFigures {
  const { leads: total_leads, ...money } = totalLine(rows);
  const leads = (isAsked: (status: CountedStatus) => boolean): number =>
    totalLine(rows.filter(({ status }) => isAsked(status))).leads;
  const of = (asked: CountedStatus): number => leads((status) => status === asked);
  return {
    total_leads,
    accepted: leads(isSoldStatus),
    pending: of('PENDING'),
    unmatched: of('UNMATCHED'),
    duplicate: of('DUPLICATE'),
    rejected: of('REJECTED'),
    expired: of('EXPIRED'),
    ...money,
  };
}

/** Leads that are not decided yet, and withdrawn ones, are left out, as the roll-ups leave them out. */
export function figuresOfLeads(sums: readonly LeadSum[]): DayFigures {
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
