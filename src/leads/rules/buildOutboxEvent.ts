/** Events of a change that the process computes instead of the database. */
import type { EventSubscriptions, LeadEventType } from '../../events/rules/events.js';
import type { LeadFacts, OutboxEvent } from '../../events/rules/leadFacts.js';
import type { Lead } from './lead.js';

/**
 * The event of a change, numbered; null without subscribers, and for the outcome of a test lead, which is never
 * published (contract 8.1). Write it in the very update that makes the change, which must find the lead as it was
 * read: `$push: { untold: event }, $set: { event_seq: event.n }`.
 */
export function buildOutboxEvent(
  lead: Pick<Lead, 'org_id' | 'is_test' | 'event_seq'>,
  subscriptions: EventSubscriptions,
  { type, at, data }: { type: LeadEventType; at: Date; data: LeadFacts },
): OutboxEvent | null {
  if (!(subscriptions.get(type) ?? []).includes(lead.org_id)) return null;
  if (type === 'lead.outcome' && lead.is_test) return null;
  return { n: (lead.event_seq ?? 0) + 1, type, at, data };
}
