/**
 * Publishes stored events to subscribed automations, and moves outbox events of leads and automations to the events.
 */
import { leadEventId, type EventLead } from '../events/rules/leadData.js';
import type { OutboxEvent } from '../events/rules/leadFacts.js';
import { awaitedBy } from '../leads/rules/promise.js';
import type { Lead } from '../leads/rules/lead.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventCollections } from '../events/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import { createAutomationStore } from './store/automations.js';
import { insertNew } from '../platform/mongo/insertNew.js';
import type { LeadEvent, OtherEvent } from '../events/store/eventDocs.js';
import { fanOut, type FanOutDeps } from './fanOut.js';

export interface PublishDeps extends FanOutDeps {
  collections: FanOutDeps['collections'] &
    Pick<EventCollections & LeadCollections, 'events' | 'leads'>;
}

type LeadWithOutbox = EventLead & Pick<Lead, 'event_seq' | 'resale'> & { untold: OutboxEvent[] };

/**
 * Moves the outbox events of these leads. Safe to repeat, in parallel with itself, and after an interruption at any
 * point: every id is derived from its lead, and a lead's events are removed from it only when all are stored and fanned
 * out, and none has been added since.
 * @returns the number of events
 */
export async function relayLeads(leadIds: readonly string[], deps: PublishDeps): Promise<number> {
  const { leads, events } = deps.collections;
  const found = await leads
    .find({ _id: { $in: [...leadIds] }, untold: { $exists: true } })
    .project<LeadWithOutbox>(EVENT_FIELDS)
    .toArray();
  if (found.length === 0) return 0;
  const published = found.flatMap((lead) =>
    lead.untold.map((event) => ({ lead, event: eventOf(lead, event) })),
  );
  const recorded_at = deps.clock.now();
  const stored = published.map(({ event }) => ({ ...event, recorded_at }));
  await insertNew(events, stored);
  await fanOut(
    published.map(({ lead, event }) => ({
      ...event,
      lead_id: lead._id,
      ord: event.data.n,
      campaign_id: lead.campaign_id,
      awaited_by: awaitedBy(lead),
      fields: lead.fields,
    })),
    deps,
  );
  await leads.bulkWrite(
    found.map(({ _id, event_seq }) => ({
      updateOne: { filter: { _id, event_seq }, update: { $unset: { untold: 1 } } },
    })),
    { ordered: false },
  );
  return published.length;
}

const EVENT_FIELDS = {
  org_id: 1,
  campaign_id: 1,
  supplier_id: 1,
  is_test: 1,
  fields: 1,
  extra: 1,
  created_at: 1,
  duplicate_of: 1,
  pending_at: 1,
  resale: 1,
  event_seq: 1,
  untold: 1,
} as const satisfies Partial<Record<keyof Lead, 1>>;

const eventOf = (lead: LeadWithOutbox, { n, type, at, data }: OutboxEvent): LeadEvent => ({
  _id: leadEventId(lead._id, n),
  org_id: lead.org_id,
  type,
  created_at: at,
  data: {
    lead_id: lead._id,
    n,
    campaign_id: lead.campaign_id,
    supplier_id: lead.supplier_id,
    is_test: lead.is_test,
    ...data,
  },
});

/** Stored events without a lead. */
export function publishEvents(events: readonly OtherEvent[], deps: FanOutDeps): Promise<void> {
  return fanOut(
    events.map((event) => ({
      ...event,
      lead_id: null,
      ord: 0,
      awaited_by: null,
      fields: {},
      campaign_id: 'campaign_id' in event.data ? event.data.campaign_id : null,
    })),
    deps,
  );
}

/** Publishes that an automation was disabled. Repeating it changes nothing. */
export async function publishDisabled(
  { _id, org_id, name, untold }: Pick<AutomationDoc, '_id' | 'org_id' | 'name' | 'untold'>,
  deps: PublishDeps,
): Promise<void> {
  if (!untold) return;
  const data = { automation_id: _id, name, reason: untold.reason };
  const type = 'automation.disabled' as const;
  const recorded_at = deps.clock.now();
  const event = { _id: untold._id, org_id, type, created_at: untold.at, recorded_at, data };
  await insertNew(deps.collections.events, [event]);
  await publishEvents([event], deps);
  await createAutomationStore(deps.collections.automations).clearOutbox(_id, untold._id);
}
