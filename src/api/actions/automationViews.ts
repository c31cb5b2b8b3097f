/** Automations, events and their deliveries as the Actions API shows them. */
import { shownTarget } from '../../automations/automationTarget.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { EventDeliveryDoc } from '../../automations/store/automationDocs.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import type { ShownEvent } from '../../automations/readShownEvents.js';

export const automationView = (automation: AutomationDoc, keyring: Keyring) => ({
  ...automation,
  id: automation._id,
  conditions: automation.conditions && { ...automation.conditions },
  target: { ...shownTarget(automation, keyring) },
  previous_secret_until: automation.previous_secret?.until,
});

export const eventView = ({ event, data }: ShownEvent) => ({
  ...event,
  id: event._id,
  recorded_at: event.recorded_at ?? event.created_at,
  lead_id: 'lead_id' in event.data ? event.data.lead_id : null,
  data,
});

export const eventDeliveryView = (delivery: EventDeliveryDoc) => ({
  ...delivery,
  id: delivery._id,
  due_at: delivery.state === 'waiting' ? delivery.due_at : null,
});
