/** A lead in a supplier's webhook: the data that its answer at ingest would have had, had it not been `pending`. */
import type { EventLead } from '../events/rules/leadData.js';
import type { LeadEvent } from '../events/store/eventDocs.js';
import type { LeadPing } from '../leads/rules/leadPing.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';

/** The lead of the event; the parts that are read no longer change. */
export type AwaitedLead = EventLead & { ping?: Pick<LeadPing, 'reveal_buyers'> };

/** About the buyer no more than the answer contains, and neither prices nor fields. */
export function supplierData(
  { buyer_id, status }: LeadEvent['data'],
  { _id: id, campaign_id, supplier_id, is_test, created_at, ping }: AwaitedLead,
  shown: ShownBuyer,
): Record<string, unknown> {
  const lead = { campaign_id, supplier_id, buyer_id, ...(ping ? { ping } : {}) };
  return {
    id,
    status,
    buyer_id: shown(lead),
    campaign_id,
    ...(status === 'ACCEPTED' ? { delivery: 'delivered' } : {}),
    is_test,
    created_at: created_at.toISOString(),
  };
}
