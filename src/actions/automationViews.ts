/** Automations, events and their deliveries as the Actions API shows them. */
import { hiddenHeaders } from '../account/delivery/headers.js';
import { dataOf } from '../domain/events.js';
import type { AutomationDoc, EventDeliveryDoc } from '../store/automationDocs.js';
import type { EventDoc } from '../store/collections.js';

export function automationView(automation: AutomationDoc) {
  const { _id, name, trigger, campaign_id, conditions, action, target, status } = automation;
  return {
    ...{ id: _id, name, trigger, campaign_id, action, status },
    conditions: conditions ? { ...conditions } : null,
    target: 'headers' in target ? { ...target, headers: hiddenHeaders(target.headers) } : { ...target },
    disabled_reason: automation.disabled_reason ?? null,
    failing_since: automation.failing_since?.toISOString() ?? null,
    previous_secret_until: automation.previous_secret?.until.toISOString() ?? null,
    created_at: automation.created_at.toISOString(),
  };
}

export const eventView = (event: EventDoc) => ({
  id: event._id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  lead_id: event.lead_id ?? null,
  data: dataOf(event),
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
