/** What a supplier later sees of a lead: the same results as at ingest (see `ingest/reply.ts`). */
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { ShownBuyer } from '../../leads/shownBuyer.js';
import { supplierStatus, type SupplierStatus } from '../../leads/rules/supplierStatus.js';
import type { FoundLead } from '../../leads/store/leadLookup.js';

export interface LookupData {
  id: string;
  /** NEW: stored, and nothing is promised yet. */
  status: 'NEW' | 'ACCEPTED' | 'UNMATCHED' | 'DUPLICATE' | 'REJECTED' | 'EXPIRED';
  /** Null, but present, when no buyer has it. */
  buyer_id: string | null;
  campaign_id: string;
  delivery?: 'delivered' | 'pending';
  duplicate_of?: string;
  /** REJECTED: the error code of ingest. */
  reason?: 'filtered' | 'supplier_capped';
  filter_errors?: FilterFailure[];
  is_test: boolean;
  created_at: string;
  decided_at?: string;
  /** The outcome its buyer reported, where the campaign shares it; null: none was reported yet. */
  outcome?: string | null;
  /** Number of the supplier's leads that match the lookup, at most 100; this is the newest. */
  matches: number;
}

const SHOWN: Record<SupplierStatus, Pick<LookupData, 'status' | 'delivery' | 'reason'>> = {
  undecided: { status: 'NEW' },
  // The answer of ingest holds until the promise is kept or expired.
  pending: { status: 'ACCEPTED', delivery: 'pending' },
  delivered: { status: 'ACCEPTED', delivery: 'delivered' },
  unmatched: { status: 'UNMATCHED' },
  duplicate: { status: 'DUPLICATE' },
  filtered: { status: 'REJECTED', reason: 'filtered' },
  capped: { status: 'REJECTED', reason: 'supplier_capped' },
  expired: { status: 'EXPIRED' },
  withdrawn: { status: 'NEW' },
};

/** @param sharesOutcome whether the campaign lets its suppliers see the outcomes that buyers report */
export function lookupData(
  lead: FoundLead,
  matches: number,
  shownBuyer: ShownBuyer,
  sharesOutcome: boolean,
): LookupData {
  const status = supplierStatus(lead);
  const shown = SHOWN[status];
  const hasOriginal = shown.status !== 'NEW' && shown.status !== 'REJECTED';
  return {
    id: lead._id,
    ...shown,
    buyer_id: status === 'delivered' ? shownBuyer(lead) : null,
    duplicate_of: hasOriginal ? lead.duplicate_of : undefined,
    filter_errors: status === 'filtered' ? (lead.filter_errors ?? []) : undefined,
    campaign_id: lead.campaign_id,
    is_test: lead.is_test,
    created_at: lead.created_at.toISOString(),
    decided_at: lead.decided_at?.toISOString(),
    outcome: sharesOutcome ? (lead.outcome ?? null) : undefined,
    matches,
  };
}
