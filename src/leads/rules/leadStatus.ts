/**
 * NEW: stored, undecided. PENDING: answered `pending`, and its delivery row determines the next step. SELLING: sold,
 * and on its way to more buyers; outside this service it is ACCEPTED. The others are final. WITHDRAWN: its supplier
 * received 503.
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

/** A run or a delivery row still has to work on it. */
export const OPEN_STATUSES = ['NEW', 'PENDING', 'SELLING'] as const satisfies readonly LeadStatus[];

/** A buyer has it, in the order in which a lead goes through them; outside this service both are ACCEPTED. */
export const SOLD_STATUSES: readonly LeadStatus[] = ['SELLING', 'ACCEPTED'];

/** A lead in one of these still holds, or may come to hold, its duplicate claims. */
export const CLAIMING_STATUSES = [
  'NEW',
  'PENDING',
  'SELLING',
  'ACCEPTED',
] as const satisfies readonly LeadStatus[];

export const isOpen = (status: LeadStatus): boolean =>
  OPEN_STATUSES.some((open) => open === status);

/** It has no decision yet. */
export const isUndecided = (status: LeadStatus): boolean =>
  status === 'NEW' || status === 'PENDING';

/** Outside, a sold lead that is on its way to more buyers is simply sold. */
export type DistributionStatus = Exclude<LeadStatus, 'SELLING'>;

export type ShownStatus = DistributionStatus | SaleOutcome | 'RETURNED';
