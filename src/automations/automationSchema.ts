/** What a person may say of an automation: its schemas are published, and say which settings the target of an action has. */
import { z } from 'zod';
import { ADDRESSES_MAX, COLUMNS_MAX } from '../account/buyers/settingKinds.js';
import { patchOf } from '../lib/schema/patchOf.js';
import { published } from '../lib/schema/published.js';
import { requiredText, text, texts, wholeNumber } from '../lib/schema/settings.js';

const URL_MAX = 2_000;
const SPREADSHEET_MAX = 500;
const SHEET_MAX = 100;
const CAMPAIGN_ID_MAX = 100;

const url = requiredText(URL_MAX, 'must be its address').describe('its address');

/**
 * The settings of each action. `checkTarget` reads them by hand, with the readers that the deliveries of buyers have
 * too: an address may be called or not, headers may be kept, and the columns and campaigns there are lie in the database.
 */
const Target = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('WEBHOOK'),
    url,
    headers: z
      .record(z.string(), z.string())
      .describe(
        'additional headers; [hidden] as a value keeps the stored value, at the same origin',
      ),
  }),
  z.strictObject({
    action: z.literal('EMAIL'),
    to: texts(ADDRESSES_MAX).describe(`1 to ${ADDRESSES_MAX} addresses`),
  }),
  z.strictObject({ action: z.literal('SLACK'), url }),
  z.strictObject({
    action: z.literal('GOOGLE_SHEET'),
    spreadsheet_id: text(SPREADSHEET_MAX).describe(
      'its URL, or the id in it; share it with the service account',
    ),
    sheet: text(SHEET_MAX).describe('the name of the tab; null: the first'),
    columns: z
      .array(z.string())
      .max(COLUMNS_MAX)
      .describe('the columns after the event_id; null: all values of the event'),
  }),
  z.strictObject({
    action: z.literal('REDISTRIBUTE'),
    campaign_id: text(CAMPAIGN_ID_MAX).describe('the campaign that leads go to'),
  }),
]);

export type AutomationAction = z.output<typeof Target>['action'];

export const AUTOMATION_ACTIONS: readonly AutomationAction[] = Target.options.map(
  ({ shape }) => shape.action.value,
);

/** The settings of every action. Null takes a setting back to its default. */
export const TargetPatch = patchOf(Target)
  .omit({ action: true })
  .describe('Where it goes; which settings it has depends on the action');
export type TargetInput = z.input<typeof TargetPatch>;

/** The settings that a target of the action has. */
export const settingsOf = (action: AutomationAction): string[] =>
  Target.options
    .filter(({ shape }) => shape.action.value === action)
    .flatMap(({ shape }) => Object.keys(shape).filter((key) => key !== 'action'));

/** For how many hours the secret before a new one signs, too. */
export const OverlapHours = wholeNumber(0, 168);
export const OverlapHoursInput = published(OverlapHours);
