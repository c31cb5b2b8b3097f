/** Reads the messages of deliveries together. */
import { envelopeOf } from '../events/rules/events.js';
import type { Lead } from '../leads/rules/lead.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventCollections } from '../events/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { EventDoc } from '../events/store/eventDocs.js';
import { createShownBuyer, type ShownBuyer } from '../leads/shownBuyer.js';
import type { Keyring } from '../platform/security/seal.js';
import { buildEventData } from './readShownEvents.js';
import { isForSupplier, supplierData, type OfSupplier } from './supplierData.js';
import type { Message } from './senders/sender.js';

/** Null: the message no longer exists, for the given reason. */
export type MessageOrLost = { message: Omit<Message, 'isRepeat' | 'sendBy'> } | { lost: string };

export interface MessageDeps {
  collections: Pick<EventCollections & LeadCollections, 'events' | 'leads'>;
  keyring: Keyring;
}

/** Two reads for any number. A trail, the largest part of a lead, is read only where the lead is sold again. */
export async function readMessages(
  rows: readonly EventDeliveryDoc[],
  { action, trigger, supplier_id }: Pick<AutomationDoc, 'action' | 'trigger' | 'supplier_id'>,
  { collections, keyring }: MessageDeps,
): Promise<Map<string, MessageOrLost>> {
  const leadIds = [...new Set(rows.flatMap(({ lead_id }) => (lead_id === null ? [] : [lead_id])))];
  const projection = action === 'REDISTRIBUTE' ? undefined : { trail: 0 };
  const [events, leads] = await Promise.all([
    collections.events.find({ _id: { $in: rows.map(({ event_id }) => event_id) } }).toArray(),
    leadIds.length === 0
      ? []
      : collections.leads.find({ _id: { $in: leadIds } }, { projection }).toArray(),
  ]);
  const shown = createShownBuyer(keyring);
  const eventOf = new Map(events.map((event) => [event._id, event]));
  const leadOf = new Map(leads.map((lead) => [lead._id, lead]));
  return new Map(
    rows.map(({ _id: id, event_id, lead_id }): [string, MessageOrLost] => {
      const event = eventOf.get(event_id);
      if (!event) return [id, { lost: 'the event has been deleted' }];
      const lead = leadOf.get(lead_id ?? '') ?? null;
      if (lead_id !== null && !lead) return [id, { lost: 'the lead has been deleted' }];
      const data =
        supplier_id === undefined
          ? buildEventData(event, lead ?? undefined)
          : dataForSupplier({ trigger, supplier_id }, { event, lead }, shown);
      if (!data) return [id, { lost: 'the supplier does not wait for this decision' }];
      return [id, { message: { id, envelope: envelopeOf(event, data), lead } }];
    }),
  );
}

/** Null: nothing that the supplier may see. Deliveries of earlier releases are checked again here. */
function dataForSupplier(
  webhook: OfSupplier,
  { event, lead }: { event: EventDoc; lead: Lead | null },
  shown: ShownBuyer,
): Record<string, unknown> | null {
  if (!('lead_id' in event.data) || !isForSupplier(webhook, event, lead)) return null;
  const about = event.data.lead ?? lead;
  return about && supplierData(event.data, about, shown);
}
