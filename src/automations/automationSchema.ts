/** The settings of an automation: the schemas are published, and define which settings each action's target has. */
import { z } from 'zod';
import {
  Addresses,
  ADDRESSES_MAX,
  Columns,
  Headers,
  SpreadsheetId,
} from '../account/buyers/settingKinds.js';
import { OverlapHours } from '../account/overlapSchema.js';
import { patchOf } from '../lib/schema/patchOf.js';
import { published } from '../lib/schema/published.js';
import { optionalText, requiredText } from '../lib/schema/settings.js';

const URL_MAX = 2_000;
const CAMPAIGN_ID_MAX = 100;

const WEBHOOK_URL_RULE = 'must be the address that events are posted to';
const SLACK_URL_RULE = 'must be the address that Slack gave for incoming webhooks';

/** The target settings of each action. Checks that depend on the account and the installation are in `checkTarget`. */
export const TARGETS = {
  WEBHOOK: z.strictObject({
    url: requiredText(URL_MAX, WEBHOOK_URL_RULE).describe('its address'),
    headers: Headers.default({}).describe(
      'additional headers; [hidden] as a value keeps the stored value, at the same origin',
    ),
  }),
  EMAIL: z.strictObject({ to: Addresses.describe(`1 to ${ADDRESSES_MAX} addresses`) }),
  SLACK: z.strictObject({ url: requiredText(URL_MAX, SLACK_URL_RULE).describe('its address') }),
  GOOGLE_SHEET: z.strictObject({
    spreadsheet_id: SpreadsheetId.describe(
      'its URL, or the id in it; share it with the service account',
    ),
    sheet: optionalText(100).describe('the name of the tab; null: the first'),
    columns: Columns.nullable()
      .default(null)
      .describe('the columns after the event_id; null: all values of the event'),
  }),
  REDISTRIBUTE: z.strictObject({
    campaign_id: requiredText(CAMPAIGN_ID_MAX, 'must be the campaign that leads go to').describe(
      'the campaign that leads go to',
    ),
  }),
};

export type AutomationAction = keyof typeof TARGETS;

export const AUTOMATION_ACTIONS = Object.keys(TARGETS) as AutomationAction[];

const of = <A extends AutomationAction>(action: A) => ({ action: z.literal(action) });

const Target = z.discriminatedUnion('action', [
  TARGETS.WEBHOOK.extend(of('WEBHOOK')),
  TARGETS.EMAIL.extend(of('EMAIL')),
  TARGETS.SLACK.extend(of('SLACK')),
  TARGETS.GOOGLE_SHEET.extend(of('GOOGLE_SHEET')),
  TARGETS.REDISTRIBUTE.extend(of('REDISTRIBUTE')),
]);

/** The settings of every action. Null resets a setting to its default. */
export const TargetPatch = patchOf(Target)
  .omit({ action: true })
  .meta({ examples: [{ url: 'https://crm.example/leadwire' }] })
  .describe('Where it goes; which settings it has depends on the action');
export type TargetInput = z.input<typeof TargetPatch>;

/** The settings that decide what an automation does, and when: they are checked together. */
export const SUBSCRIBED_FIELDS = ['trigger', 'campaign_id', 'conditions', 'target'] as const;

/** Hours for which the previous secret signs too. The default is not published: without a rotation none is allowed. */
export const OverlapHoursInput = published(OverlapHours.unwrap());
