/** Automations, events and their deliveries on the wire. */
import { z } from 'zod';
import { AUTOMATION_ACTIONS, TargetPatch } from '../../../automations/automationSchema.js';
import { EVENT_DELIVERY_STATES } from '../../../automations/store/automationDocs.js';
import { EVENT_TYPES } from '../../../events/rules/events.js';
import { Filters } from '../../../fields/filterSchema.js';
import { ActiveStatus, id, Instant, orNull, recordId, recordName } from './common.js';

export const EventName = z.enum(EVENT_TYPES);

/** The settings that creating and changing one share. */
export const automationSettings = {
  trigger: EventName.describe('The event type that triggers it'),
  target: TargetPatch,
  campaign_id: id('campaign')
    .nullable()
    .optional()
    .describe('Only events of this campaign; null: of any campaign'),
  conditions: Filters.optional().describe(
    'Only leads that match, written as inbound filters: { "all": [rules] }, { "any": [rules] } or a list. null: ' +
      'every lead',
  ),
  status: ActiveStatus.optional().describe(
    'paused: nothing is sent, and events that happen while it is paused are never sent',
  ),
};

export const ActionName = z
  .enum(AUTOMATION_ACTIONS)
  .describe(
    'WEBHOOK posts the event, SLACK and EMAIL send a message, GOOGLE_SHEET adds a row, REDISTRIBUTE sends the lead ' +
      'to another campaign',
  );

export const AutomationView = z.object({
  id: recordId('automation'),
  name: recordName('automation').meta({ examples: ['Notify the CRM'] }),
  trigger: EventName.describe('The event type that triggers it'),
  campaign_id: z
    .string()
    .nullable()
    .describe('Only events of this campaign; null: of any campaign'),
  supplier_id: orNull(z.string()).describe(
    'It is the webhook that this supplier has set up in its portal: notified of its own leads only, and only ' +
      'when they are decided; null: it is your own',
  ),
  conditions: z.looseObject({}).nullable().describe('Only leads that match; null: every lead'),
  action: ActionName,
  target: z.looseObject({}).describe('Where it goes; the values of headers are hidden'),
  status: z
    .enum(['active', 'paused', 'disabled'])
    .describe('disabled: its target failed for too long; set active to resume'),
  disabled_reason: orNull(z.string()).describe('The failure that disabled it'),
  failing_since: orNull(Instant).describe(
    'Since when its target has been failing; null: it is healthy',
  ),
  previous_secret_until: orNull(Instant).describe(
    'Until then the previous secret also signs; null: there is none',
  ),
  created_at: Instant.describe('When it was created, in UTC'),
});

export const SavedAutomationView = AutomationView.extend({
  secret: z
    .string()
    .nullable()
    .describe('The secret that signs its requests, shown only once; null: this call created none'),
});

export const EventView = z.object({
  id: recordId('event'),
  type: EventName.describe('The event type'),
  created_at: Instant.describe('When it happened, in UTC'),
  recorded_at: Instant.describe('When it was recorded, in UTC'),
  lead_id: z.string().nullable().describe('The lead of the event; null: none'),
  data: z.looseObject({}).describe("The data of the event's envelope"),
});

export const EventDeliveryView = z.object({
  id: recordId('delivery of an event'),
  event_id: recordId('event'),
  automation_id: recordId('automation'),
  type: EventName.describe('The event type'),
  lead_id: z.string().nullable().describe('The lead of the event; null: none'),
  state: z
    .enum(EVENT_DELIVERY_STATES)
    .describe(
      'waiting: the next attempt is at due_at; parked: dead-lettered after 3 days, resend_event sends it again',
    ),
  attempts: z.number().int().describe('Number of attempts'),
  http_status: orNull(z.number().int()).describe('The status of the latest response'),
  reason: orNull(z.string()).describe('Why it has not been delivered'),
  created_at: Instant.describe('When the first attempt was due, in UTC'),
  due_at: Instant.nullable().describe('When the next attempt is due; null: none'),
  delivered_at: orNull(Instant).describe('When the target accepted it; null: not yet'),
});
