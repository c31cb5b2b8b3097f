/** Automations, events and their deliveries on the wire. */
import { z } from 'zod';
import { AUTOMATION_ACTIONS, TargetPatch } from '../../../automations/automationSchema.js';
import { EVENT_DELIVERY_STATES } from '../../../automations/store/automationDocs.js';
import { EVENT_TYPES } from '../../../events/rules/events.js';
import { Filters } from '../../../fields/filterSchema.js';
import { ActiveStatus, id, Instant, recordId, recordName } from './common.js';

export const EventName = z.enum(EVENT_TYPES);

/** What both making and changing one can say. */
export const automationSettings = {
  trigger: EventName.describe('What it waits for'),
  target: TargetPatch,
  campaign_id: id('campaign')
    .nullable()
    .optional()
    .describe('Only what happens in this campaign; null: in any'),
  conditions: Filters.optional().describe(
    'Which leads it is about, as inbound filters: { "all": [rules] }, { "any": [rules] } or a list. null: every lead',
  ),
  status: ActiveStatus.optional().describe(
    'paused: nothing is told, and what happens meanwhile is not told later',
  ),
};

export const ActionName = z
  .enum(AUTOMATION_ACTIONS)
  .describe(
    'WEBHOOK posts the event, SLACK and EMAIL tell people, GOOGLE_SHEET adds a row, REDISTRIBUTE sends the lead to another campaign',
  );

export const AutomationView = z.object({
  id: recordId('automation'),
  name: recordName('automation').meta({ examples: ['Tell the CRM'] }),
  trigger: EventName.describe('What it waits for'),
  campaign_id: z.string().nullable().describe('Only of this campaign; null: of any'),
  conditions: z.looseObject({}).nullable().describe('Which leads it is about; null: every lead'),
  action: ActionName,
  target: z.looseObject({}).describe('Where it goes; the values of headers are hidden'),
  status: z
    .enum(['active', 'paused', 'disabled'])
    .describe('disabled: its target failed for too long; set active to begin again'),
  disabled_reason: z.string().nullable().describe('Of a disabled one: what it failed with'),
  failing_since: Instant.nullable().describe('Since when its target has failed; null: it is well'),
  previous_secret_until: Instant.nullable().describe(
    'Until then the secret of before signs, too; null: there is none',
  ),
  created_at: Instant.describe('When it was made, in UTC'),
});

export const SavedAutomationView = AutomationView.extend({
  secret: z
    .string()
    .nullable()
    .describe(
      'What its requests are signed with, shown this once; null: no new one was made by this call',
    ),
});

export const EventView = z.object({
  id: recordId('event'),
  type: EventName.describe('What happened'),
  created_at: Instant.describe('When it happened, in UTC'),
  recorded_at: Instant.describe('When it came among the events, in UTC'),
  lead_id: z.string().nullable().describe('The lead it is about; null: about none'),
  data: z.looseObject({}).describe('What the envelope of the event holds'),
});

export const EventDeliveryView = z.object({
  id: recordId('delivery of an event'),
  event_id: recordId('event'),
  automation_id: recordId('automation'),
  type: EventName.describe('What happened'),
  lead_id: z.string().nullable().describe('The lead it is about; null: about none'),
  state: z
    .enum(EVENT_DELIVERY_STATES)
    .describe(
      'waiting: it is sent, or sent again, when it is due; parked: given up after 3 days, resend_event sends it again',
    ),
  attempts: z.number().int().describe('How often it was sent'),
  http_status: z.number().int().nullable().describe('Of the latest answer'),
  reason: z.string().nullable().describe('Why it is not delivered'),
  created_at: Instant.describe('When it was to be sent first, in UTC'),
  due_at: Instant.nullable().describe('When it is sent next; null: it is not'),
  delivered_at: Instant.nullable().describe('When it was taken; null: not yet'),
});
