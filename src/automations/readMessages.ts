/** What deliveries say, read together. */
import { envelopeOf, type Envelope } from '../events/rules/events.js';
import type { Lead } from '../leads/rules/lead.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { AutomationCollections } from './store/collections.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { EventDoc } from '../events/store/eventDocs.js';
import { buildEventData } from './readShownEvents.js';
import type { Message } from './senders/sender.js';

/** Null: there is nothing to say any more, and the reason is this. */
export type MessageOrLost = { message: Omit<Message, 'isRepeat' | 'sendBy'> } | { lost: string };

export type MessageDeps = { collections: Pick<AutomationCollections, 'events' | 'leads'> };

/** Two reads, whatever their number. A trail, the greater part of a lead, is read only where the lead is sold again. */
export async function readMessages(
  rows: readonly EventDeliveryDoc[],
  { action }: Pick<AutomationDoc, 'action'>,
  { collections }: MessageDeps,
): Promise<Map<string, MessageOrLost>> {
  const leadIds = [...new Set(rows.flatMap(({ lead_id }) => (lead_id === null ? [] : [lead_id])))];
  const projection = action === 'REDISTRIBUTE' ? {} : { projection: { trail: 0 } };
  const [events, leads] = await Promise.all([
    collections.events.find({ _id: { $in: rows.map(({ event_id }) => event_id) } }).toArray(),
    leadIds.length === 0
      ? []
      : collections.leads.find({ _id: { $in: leadIds } }, projection).toArray(),
  ]);
  const eventOf = new Map(events.map((event) => [event._id, event]));
  const leadOf = new Map(leads.map((lead) => [lead._id, lead]));
  return new Map(
    rows.map(({ _id: id, event_id, lead_id }): [string, MessageOrLost] => {
      const event = eventOf.get(event_id);
      if (!event) return [id, { lost: 'the event has been deleted' }];
      const lead = leadOf.get(lead_id ?? '') ?? null;
      if (lead_id !== null && !lead) return [id, { lost: 'the lead has been deleted' }];
      return [id, { message: { id, envelope: buildEnvelope(event, lead), lead } }];
    }),
  );
}

const buildEnvelope = (event: EventDoc, lead: Lead | null): Envelope =>
  envelopeOf(event, buildEventData(event, lead ?? undefined));
