/** What a supplier later sees of a lead: the same results as at ingest (see `ingest/reply.ts`). */
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { ShownBuyer } from '../../leads/shownBuyer.js';
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

/** @param sharesOutcome whether the campaign lets its suppliers see the outcomes that buyers report */
export function lookupData(
  lead: FoundLead,
  matches: number,
  shown: ShownBuyer,
  sharesOutcome: boolean,
): LookupData {
  return {
    id: lead._id,
    ...standingOf(lead, shown(lead)),
    campaign_id: lead.campaign_id,
    is_test: lead.is_test,
    created_at: lead.created_at.toISOString(),
    decided_at: lead.decided_at?.toISOString(),
    outcome: sharesOutcome ? (lead.outcome ?? null) : undefined,
    matches,
  };
}

type Standing = Omit<
  LookupData,
  'id' | 'campaign_id' | 'is_test' | 'created_at' | 'decided_at' | 'outcome' | 'matches'
>;

function standingOf(lead: FoundLead, buyer_id: string | null): Standing {
  const { status, duplicate_of } = lead;
  switch (status) {
    case 'SELLING':
    case 'ACCEPTED':
      return { status: 'ACCEPTED', buyer_id, delivery: 'delivered', duplicate_of };
    case 'PENDING':
      // The answer that was given at ingest holds until it is kept or has expired.
      return { status: 'ACCEPTED', buyer_id: null, delivery: 'pending', duplicate_of };
    case 'REJECTED':
      if (lead.refusal) return { status, buyer_id: null, reason: lead.refusal };
      return {
        status,
        buyer_id: null,
        reason: 'filtered',
        filter_errors: lead.filter_errors ?? [],
      };
    case 'DUPLICATE':
    case 'UNMATCHED':
    case 'EXPIRED':
      return { status, buyer_id: null, duplicate_of };
    case 'NEW':
    case 'WITHDRAWN':
      return { status: 'NEW', buyer_id: null };
  }
}
