/** Events, the automations that were notified, and sending an event again. */
import { z } from 'zod';
import { listenToEvents } from '../../../automations/subscriptions.js';
import { resendEvents } from '../../../automations/resend.js';
import { readShownEvents, type ShownEvent } from '../../../automations/readShownEvents.js';
import { sendTestEvent } from '../../../automations/testEvent.js';
import { findLead } from './leads.js';
import { findAutomation } from '../../../automations/automations.js';
import {
  EVENT_DELIVERY_STATES,
  type EventDeliveryDoc,
} from '../../../automations/store/automationDocs.js';
import { findEventDeliveries, findEvents } from '../../../automations/store/eventPages.js';
import { defineAction, defineList } from '../action.js';
import { LEADS, PEOPLE } from '../exits.js';
import { invalidField } from '../readInput.js';
import { EventDeliveryView, EventName, EventView } from '../schemas/automation.js';
import { InstantText, id, Instant } from '../schemas/common.js';

const EXAMPLE_AUTOMATION = '3b6f0d7e-52a1-4c58-9a0e-6f1f0a6b7c21';
const EXAMPLE_LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const EXAMPLE_EVENT = `evt_${EXAMPLE_LEAD}_1`;

export const listEventsAction = defineList({
  name: 'list_events',
  cli: ['events', 'list'],
  summary: 'List events',
  description:
    'Events, newest first; with since, those recorded from then on, oldest first. Kept for 30 days. Lead events ' +
    'exist only where an automation has their trigger, or while a client listens (listen_events).',
  permission: 'leads:read',
  letsOut: [PEOPLE],
  filters: {
    type: EventName.optional().describe('Only events of this type'),
    lead_id: id('lead').optional().describe('Only events of this lead'),
    since: InstantText.optional().describe('Recorded then or later, oldest first'),
  },
  example: { type: 'lead.accepted', limit: 20 },
  output: z.array(EventView),
  async find(filter, context, wanted) {
    if (filter.lead_id !== undefined) await findLead(filter.lead_id, context);
    return findEvents(context.collections.events, { org_id: context.orgId, ...filter }, wanted);
  },
  show: async (events, { collections }) =>
    (await readShownEvents(collections, events)).map(eventView),
});

export const listenEvents = defineAction({
  name: 'listen_events',
  cli: ['events', 'listen-for'],
  summary: 'Record all events for an hour',
  description:
    'Records every event of the organization for list_events, whether or not an automation has its trigger, until an ' +
    'hour after the latest such call.',
  // Reads: it changes no record of the account.
  permission: 'leads:read',
  input: z.strictObject({}),
  example: {},
  output: z.object({
    since: Instant.describe('Events are recorded from then on: start reading here'),
    until: Instant.describe('When recording ends, unless the action is called again'),
  }),
  run: (_, context) => listenToEvents(context),
});

export const listEventDeliveries = defineList({
  name: 'list_event_deliveries',
  cli: ['events', 'deliveries'],
  summary: 'List event deliveries',
  description:
    'One delivery for each automation that an event goes to: waiting, delivered, or dead-lettered. Newest first, ' +
    'kept for 30 days.',
  permission: 'leads:read',
  filters: {
    automation_id: id('automation').optional().describe('Only deliveries of this automation'),
    event_id: id('event').optional().describe('Only deliveries of this event'),
    state: z.enum(EVENT_DELIVERY_STATES).optional().describe('Only deliveries in this state'),
  },
  example: { automation_id: EXAMPLE_AUTOMATION, state: 'parked' },
  output: z.array(EventDeliveryView),
  async find(filter, context, wanted) {
    const { collections, orgId: org_id } = context;
    if (filter.automation_id !== undefined) await findAutomation(context, filter.automation_id);
    return findEventDeliveries(collections.eventDeliveries, { org_id, ...filter }, wanted);
  },
  show: (deliveries) => deliveries.map(eventDeliveryView),
});

export const resendEvent = defineAction({
  name: 'resend_event',
  cli: ['events', 'resend'],
  summary: 'Send events again',
  description:
    'Sends one event, or all events of an automation since a time, again: dead-lettered and waiting deliveries, and ' +
    'with include_delivered also the delivered ones. Receivers recognize a repeated event by its id.',
  reachesOut: true,
  idempotent: true,
  permission: 'leads:write',
  guards: 'operator_command',
  letsOut: [LEADS],
  input: z.strictObject({
    event_id: id('event')
      .optional()
      .describe('This event, to all its automations unless automation_id is given'),
    automation_id: id('automation').optional().describe('Only to this automation'),
    since: InstantText.optional().describe('With automation_id: all events from then on'),
    include_delivered: z
      .boolean()
      .optional()
      .describe('Also send delivered events again; default true for one event, false for many'),
  }),
  example: { event_id: EXAMPLE_EVENT },
  output: z.object({
    resent: z.number().int().describe('Deliveries that are sent again'),
    automation_ids: z.array(z.string()).describe('The automations they go to'),
    next_since: Instant.nullable().describe(
      'More matched than one call handles: call again with this since; null: that was all',
    ),
  }),
  async run(input, context) {
    const { event_id, automation_id, since } = input;
    if (event_id === undefined && (automation_id === undefined || since === undefined))
      throw invalidField(
        'event_id',
        'required',
        'event_id is required, or automation_id with since.',
      );
    if (event_id !== undefined && since !== undefined)
      throw invalidField('since', 'not_allowed', 'since is not allowed with event_id.');
    if (automation_id !== undefined) await findAutomation(context, automation_id);
    return resendEvents(context, input);
  },
});

export const sendTestEventAction = defineAction({
  name: 'send_test_event',
  cli: ['automations', 'send-test'],
  summary: 'Test an automation',
  description:
    'Sends an event of a sample lead, marked is_test, to the target of an automation, and waits up to 5 seconds for ' +
    'the result. It is delivered like any other event, with retries. Nothing is redistributed.',
  reachesOut: true,
  permission: 'campaigns:write',
  letsOut: [LEADS],
  input: z.strictObject({ automation_id: id('automation') }),
  example: { automation_id: EXAMPLE_AUTOMATION },
  output: EventDeliveryView,
  async run(input, context) {
    const automation = await findAutomation(context, input.automation_id);
    return eventDeliveryView(await sendTestEvent(context, automation));
  },
});

const eventView = ({ event, data }: ShownEvent) => ({
  ...event,
  id: event._id,
  recorded_at: event.recorded_at ?? event.created_at,
  lead_id: 'lead_id' in event.data ? event.data.lead_id : null,
  data,
});

const eventDeliveryView = (delivery: EventDeliveryDoc) => ({
  ...delivery,
  id: delivery._id,
  due_at: delivery.state === 'waiting' ? delivery.due_at : null,
});
