/** A lead in a supplier's webhook: the data that its answer at ingest would have had, had it not been `pending`. */
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventLead } from '../events/rules/leadData.js';
import type { EventDoc, LeadEvent } from '../events/store/eventDocs.js';
import { awaitedBy } from '../leads/rules/promise.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadPing } from '../leads/rules/leadPing.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';

/** The lead of the event; the parts that are read no longer change. */
export type AwaitedLead = EventLead & { ping?: Pick<LeadPing, 'reveal_buyers'> };

/** The webhook of a supplier. */
export type OfSupplier = Pick<AutomationDoc, 'trigger'> & { supplier_id: string };

/** The parts of a lead that decide whether its supplier is notified. */
export const AWAITED_FIELDS = { supplier_id: 1, pending_at: 1, resale: 1 } as const;

/**
 * Whether a supplier's webhook may send the event: a decision that it waits for, also where a caller resends it. Null
 * for the lead: it is gone, or the event has none.
 */
export function isForSupplier(
  { trigger, supplier_id }: OfSupplier,
  { type, data }: Pick<EventDoc, 'type' | 'data'>,
  lead: Pick<Lead, 'supplier_id' | 'pending_at' | 'resale'> | null,
): boolean {
  if (type !== trigger || !('lead_id' in data)) return false;
  // The lead of a test event is made up for the webhook that it tests.
  if (data.lead) return data.lead.supplier_id === supplier_id;
  return lead !== null && awaitedBy(lead) === supplier_id;
}

/** About the buyer no more than the answer contains, and neither prices nor fields. */
export function supplierData(
  { buyer_id, status }: LeadEvent['data'],
  { _id: id, campaign_id, supplier_id, is_test, created_at, ping }: AwaitedLead,
  shown: ShownBuyer,
): Record<string, unknown> {
  const lead = { campaign_id, supplier_id, buyer_id, ping };
  return {
    id,
    status,
    buyer_id: shown(lead),
    campaign_id,
    delivery: status === 'ACCEPTED' ? 'delivered' : undefined,
    is_test,
    created_at: created_at.toISOString(),
  };
}
