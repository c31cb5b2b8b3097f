/** Events in the form in which they are sent: with the data of their leads. */
import { leadData, type EventLead } from '../events/rules/leadData.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { EventDoc } from '../events/store/eventDocs.js';

export interface ShownEvent {
  event: EventDoc;
  /** The data of its envelope. */
  data: Record<string, unknown>;
}

/** In the order given. Where a lead is gone, the data of the event itself remain. */
export async function readShownEvents(
  { leads }: Pick<LeadCollections, 'leads'>,
  events: readonly EventDoc[],
): Promise<ShownEvent[]> {
  const ids = events.flatMap(({ data }) => ('lead_id' in data ? [data.lead_id] : []));
  const found =
    ids.length === 0 ? [] : await leads.find({ _id: { $in: [...new Set(ids)] } }).toArray();
  const byId = new Map<string, EventLead>(found.map((lead) => [lead._id, lead]));
  return events.map((event) => {
    const lead = 'lead_id' in event.data ? byId.get(event.data.lead_id) : undefined;
    return { event, data: buildEventData(event, lead) };
  });
}

/** The data in the envelope of an event. */
export function buildEventData({ data }: EventDoc, found?: EventLead): Record<string, unknown> {
  if (!('lead_id' in data)) return { ...data };
  const lead = data.lead ?? found;
  return lead ? leadData(lead, data) : { ...data };
}
