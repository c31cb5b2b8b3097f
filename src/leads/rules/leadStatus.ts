/**
 * NEW: stored, undecided. PENDING: answered `pending`, a delivery row owns what happens next. SELLING: sold, and
 * on its way to more buyers; outside this service it is ACCEPTED. The others are final. WITHDRAWN: its supplier
 * was told 503.
 */

import type { SaleOutcome } from './saleChange.js';

export type LeadStatus =
  | 'NEW'
  | 'PENDING'
  | 'SELLING'
  | 'ACCEPTED'
  | 'UNMATCHED'
  | 'DUPLICATE'
  | 'REJECTED'
  | 'EXPIRED'
  | 'WITHDRAWN';

/** A run or a delivery row still has something to do for it. */
export const OPEN_STATUSES = ['NEW', 'PENDING', 'SELLING'] as const satisfies readonly LeadStatus[];

/** A lead in one of these still holds, or may come to hold, its duplicate claims. */
export const CLAIMING_STATUSES = [
  'NEW',
  'PENDING',
  'SELLING',
  'ACCEPTED',
] as const satisfies readonly LeadStatus[];

export const isOpen = (status: LeadStatus): boolean =>
  OPEN_STATUSES.some((open) => open === status);

/** Nobody has said yet what becomes of it. */
export const isUndecided = (status: LeadStatus): boolean =>
  status === 'NEW' || status === 'PENDING';

/** That a sold lead is on its way to more buyers is of no meaning outside. */
export type DistributionStatus = Exclude<LeadStatus, 'SELLING'>;

export type ShownStatus = DistributionStatus | SaleOutcome | 'RETURNED';
