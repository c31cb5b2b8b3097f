/** Automations, events and their deliveries as the Actions API shows them. */
import { shownTarget } from '../../automations/automationTarget.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { EventDeliveryDoc } from '../../automations/store/automationDocs.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import type { ShownEvent } from '../../automations/readShownEvents.js';

export function automationView(automation: AutomationDoc, keyring: Keyring) {
  const { _id, name, trigger, campaign_id, conditions, action, status } = automation;
  return {
    id: _id,
    name,
    trigger,
    campaign_id,
    supplier_id: automation.supplier_id ?? null,
    action,
    status,
    conditions: conditions ? { ...conditions } : null,
    target: { ...shownTarget(automation, keyring) },
    disabled_reason: automation.disabled_reason ?? null,
    failing_since: automation.failing_since?.toISOString() ?? null,
    previous_secret_until: automation.previous_secret?.until.toISOString() ?? null,
    created_at: automation.created_at.toISOString(),
  };
}

export const eventView = ({ event, data }: ShownEvent) => ({
  id: event._id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  recorded_at: (event.recorded_at ?? event.created_at).toISOString(),
  lead_id: 'lead_id' in event.data ? event.data.lead_id : null,
  data,
});

export const eventDeliveryView = (delivery: EventDeliveryDoc) => ({
  id: delivery._id,
  event_id: delivery.event_id,
  automation_id: delivery.automation_id,
  type: delivery.type,
  lead_id: delivery.lead_id,
  state: delivery.state,
  attempts: delivery.attempts,
  http_status: delivery.http_status ?? null,
  reason: delivery.reason ?? null,
  created_at: delivery.created_at.toISOString(),
  due_at: delivery.state === 'waiting' ? delivery.due_at.toISOString() : null,
  delivered_at: delivery.delivered_at?.toISOString() ?? null,
});
