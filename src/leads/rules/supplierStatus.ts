import type { Lead } from './lead.js';
import type { LeadStatus } from './leadStatus.js';

/**
 * A lead's status for its supplier (contract 2.4, 3.5.2). Outcomes and returns do not change it; the lookup shows the
 * outcome separately, where the campaign has `share_outcomes`. Ingest's reply, the lookup and the portal each have texts
 * for the status.
 */
export type SupplierStatus =
  | 'undecided'
  | 'pending'
  | 'delivered'
  | 'unmatched'
  | 'duplicate'
  | 'filtered'
  | 'capped'
  | 'expired'
  | 'withdrawn';

const BY_STATUS: Record<Exclude<LeadStatus, 'REJECTED'>, SupplierStatus> = {
  NEW: 'undecided',
  PENDING: 'pending',
  SELLING: 'delivered',
  ACCEPTED: 'delivered',
  UNMATCHED: 'unmatched',
  DUPLICATE: 'duplicate',
  EXPIRED: 'expired',
  WITHDRAWN: 'withdrawn',
};

export function supplierStatus({
  status,
  refusal,
}: Pick<Lead, 'status' | 'refusal'>): SupplierStatus {
  if (status === 'REJECTED') return refusal ? 'capped' : 'filtered';
  return BY_STATUS[status];
}
