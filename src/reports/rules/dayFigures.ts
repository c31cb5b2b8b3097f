/** The figures of a day, or of a part of it, from sums by status. */
import type { Micros } from '../../fields/money.js';
import type { CountedStatus } from '../../leads/rules/contribution.js';
import type { LeadSum } from '../../leads/store/leadSums.js';
import { isSoldStatus, totalLine, type LineSums } from './rollups.js';

export interface LeadCounts {
  total_leads: number;
  accepted: number;
  pending: number;
  unmatched: number;
  duplicate: number;
  rejected: number;
  expired: number;
  sales: number;
}

/** Money in micro-units. */
export interface DayFigures extends LeadCounts {
  revenue: Micros;
  cost: Micros;
}

/** Sums of the leads of one status. */
export type StatusLine = LineSums & { status: CountedStatus };

export function countsOf(lines: readonly StatusLine[]): LeadCounts {
  const counts = {
    total_leads: 0,
    accepted: 0,
    pending: 0,
    unmatched: 0,
    duplicate: 0,
    rejected: 0,
    expired: 0,
    sales: 0,
  };
  for (const { status, leads, sales } of lines) {
    counts.total_leads += leads;
    counts.sales += sales;
    if (isSoldStatus(status)) counts.accepted += leads;
    const own = COUNTS[status];
    if (own) counts[own] += leads;
  }
  return counts;
}

/** By the status, those that are no sale. */
const COUNTS: Partial<Record<CountedStatus, keyof LeadCounts>> = {
  PENDING: 'pending',
  UNMATCHED: 'unmatched',
  DUPLICATE: 'duplicate',
  REJECTED: 'rejected',
  EXPIRED: 'expired',
};

export function figuresOf(lines: readonly StatusLine[]): DayFigures {
  const { revenue, cost } = totalLine(lines);
  return { ...countsOf(lines), revenue, cost };
}

/** Leads that are not decided yet, and withdrawn ones, are left out, as the roll-ups leave them out. */
export const linesOf = (sums: readonly LeadSum[]): StatusLine[] =>
  sums.flatMap(({ status, ...sum }) =>
    status === 'NEW' || status === 'WITHDRAWN'
      ? []
      : [{ ...sum, status: status === 'SELLING' ? 'ACCEPTED' : status }],
  );
