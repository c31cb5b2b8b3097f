/** Automations: notifications about events, and actions on them. */
import { z } from 'zod';
import {
  createAutomation,
  findAutomation,
  updateAutomation,
} from '../../../automations/automations.js';
import { deleteAutomation, requireDeletable } from '../../../automations/deleteAutomation.js';
import { createEventDeliveryStore } from '../../../automations/store/eventDeliveries.js';
import { OverlapHoursInput, SUBSCRIBED_FIELDS } from '../../../automations/automationSchema.js';
import { findPage, OLDEST_FIRST } from '../../../platform/mongo/pages.js';
import { defineAction, defineList, type ActionContext } from '../action.js';
import { ACCESS, ADDRESS, type Exit } from '../exits.js';
import { shownTarget } from '../../../automations/automationTarget.js';
import type { AutomationDoc } from '../../../account/store/automationDocs.js';
import type { Keyring } from '../../../platform/security/seal.js';
import {
  ActionName,
  automationSettings,
  AutomationView,
  EventName,
  SavedAutomationView,
} from '../schemas/automation.js';
import { id, NewName, recordId, recordName } from '../schemas/common.js';
import { dry_run } from '../waiting.js';

const automation_id = id('automation');
const EXAMPLE_ID = '3b6f0d7e-52a1-4c58-9a0e-6f1f0a6b7c21';

const LEADS_READ = {
  permission: 'leads:read',
  when: 'the automation sends data of leads: its trigger is a lead event and its action is not REDISTRIBUTE',
} as const;

/** What decides where events go, and which ones: renaming and pausing an automation changes neither. */
const TARGET: Exit<Partial<Record<(typeof SUBSCRIBED_FIELDS)[number], unknown>>> = {
  ...ADDRESS,
  when: `${SUBSCRIBED_FIELDS.slice(0, -1).join(', ')} or ${SUBSCRIBED_FIELDS.at(-1)} is given`,
  isFor: (input) => SUBSCRIBED_FIELDS.some((key) => input[key] !== undefined),
};

const NEW_SECRET: Exit<{ rotate_secret?: boolean }> = {
  ...ACCESS,
  when: 'rotate_secret is true',
  isFor: ({ rotate_secret }) => rotate_secret === true,
};

/** The automation as it is stored says whether the further permission is needed. */
const inNameOf = (context: ActionContext) => ({ ...context, mayReadLeads: context.holdsFurther });

export const listAutomations = defineList({
  name: 'list_automations',
  cli: ['automations', 'list'],
  summary: 'List automations',
  description: 'Every automation of the organization, oldest first, with the health of its target.',
  permission: 'campaigns:read',
  filters: {
    trigger: EventName.optional().describe('Only those with this trigger'),
    status: z
      .enum(['active', 'paused', 'disabled'])
      .optional()
      .describe('Only those with this status'),
  },
  example: { status: 'disabled' },
  output: z.array(AutomationView),
  find: (filter, { collections, orgId: org_id }, wanted) =>
    findPage(collections.automations, { org_id, ...filter }, OLDEST_FIRST, wanted),
  show: (automations, { keyring }) => automations.map((one) => automationView(one, keyring)),
});

export const getAutomation = defineAction({
  name: 'get_automation',
  cli: ['automations', 'get'],
  summary: 'Show an automation',
  description: 'The trigger of an automation, its action, and the health of its target.',
  permission: 'campaigns:read',
  input: z.strictObject({ automation_id }),
  example: { automation_id: EXAMPLE_ID },
  output: AutomationView,
  run: async (input, context) =>
    automationView(await findAutomation(context, input.automation_id), context.keyring),
});

export const createAutomationAction = defineAction({
  name: 'create_automation',
  cli: ['automations', 'create'],
  summary: 'Create an automation',
  description:
    'Runs an action for each event of a trigger: posts a webhook, sends a mail or a Slack message, adds a row to a ' +
    'Google sheet, or sends the lead to another campaign. It never delays a lead. Each event is retried until it is ' +
    'accepted, for up to 3 days; events of one lead are sent in order. A webhook is signed with a secret that is ' +
    'shown only once. The automation applies to leads received after this call.',
  reachesOut: true,
  permission: 'campaigns:write',
  letsOut: [ADDRESS],
  alsoNeeds: LEADS_READ,
  input: z.strictObject({
    name: NewName.nullable()
      .optional()
      .describe('Unique among the automations of the organization; if absent, a name is generated'),
    action: ActionName,
    ...automationSettings,
  }),
  example: {
    name: 'Notify the CRM',
    trigger: 'lead.accepted',
    action: 'WEBHOOK',
    target: { url: 'https://crm.example/leadwire' },
  },
  output: SavedAutomationView,
  async run(input, context) {
    const made = await createAutomation(inNameOf(context), input);
    context.recipients.ask(context.orgId, made.automation.target);
    return { ...automationView(made.automation, context.keyring), secret: made.secret };
  },
});

export const updateAutomationAction = defineAction({
  name: 'update_automation',
  cli: ['automations', 'update'],
  summary: 'Change an automation',
  description:
    'Changes only the keys given, also within target. A url with another origin (scheme, host, port) needs its ' +
    'headers again, or {} for none. Events that already wait are sent to the new target. rotate_secret creates a new ' +
    'secret; the previous one also signs during the overlap.',
  permission: 'campaigns:write',
  letsOut: [TARGET, NEW_SECRET],
  alsoNeeds: {
    ...LEADS_READ,
    when: `${LEADS_READ.when}; not needed to rename or pause it, or to rotate its secret`,
  },
  input: z.strictObject({
    automation_id,
    name: NewName.optional(),
    ...automationSettings,
    trigger: automationSettings.trigger.optional(),
    target: automationSettings.target.optional(),
    rotate_secret: z.boolean().optional().describe('true: create a new secret, shown only once'),
    overlap_hours: OverlapHoursInput.optional().describe(
      'With rotate_secret: hours for which the previous secret also signs, 0 to 168 (default 24)',
    ),
  }),
  example: { automation_id: EXAMPLE_ID, status: 'paused' },
  output: SavedAutomationView,
  async run({ automation_id: automationId, ...changes }, context) {
    const saved = await updateAutomation(inNameOf(context), automationId, changes);
    const { _id, status } = saved.automation;
    if (changes.target) context.recipients.ask(context.orgId, saved.automation.target);
    // Sends now what waited while it was paused or disabled.
    if (status === 'active') context.wakeEndpoints([_id], context.orgId);
    return { ...automationView(saved.automation, context.keyring), secret: saved.secret };
  },
});

export const deleteAutomationAction = defineAction({
  name: 'delete_automation',
  cli: ['automations', 'delete'],
  summary: 'Delete an automation',
  description:
    'Deletes an automation for good, and drops what waits for it: those events are dead-lettered and sent nowhere. The ' +
    'webhook of a supplier is removed by the supplier. To keep it for later, pause it: update_automation.',
  effect: 'destroy',
  permission: 'campaigns:write',
  input: z.strictObject({ automation_id, dry_run }),
  example: { automation_id: EXAMPLE_ID },
  output: z.object({
    id: recordId('automation'),
    name: recordName('automation'),
    deleted: z.boolean().describe('false: a dry run, which changes nothing'),
    dropped: z
      .number()
      .int()
      .describe('Events that waited for it; in a dry run counted up to 10,000'),
  }),
  async run({ automation_id: automationId, dry_run: isDry }, context) {
    const automation = await findAutomation(context, automationId);
    const found = { id: automationId, name: automation.name, deleted: !isDry };
    if (!isDry) return { ...found, dropped: await deleteAutomation(context, automationId) };
    await requireDeletable(context, automation);
    const waiting = createEventDeliveryStore(context.collections.eventDeliveries);
    return { ...found, dropped: await waiting.countWaiting(automationId, 10_000) };
  },
});

const automationView = (automation: AutomationDoc, keyring: Keyring) => ({
  ...automation,
  id: automation._id,
  conditions: automation.conditions && { ...automation.conditions },
  target: { ...shownTarget(automation, keyring) },
  previous_secret_until: automation.previous_secret?.until,
});
