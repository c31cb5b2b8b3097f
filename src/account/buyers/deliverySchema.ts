/**
 * How leads reach a buyer (contract 6.1): the settings of each method. They are parsed, published and typed by these
 * schemas; what depends on the account or the installation, `delivery/` checks after them.
 */
import { z } from 'zod';
import { patchOf } from '../../lib/schema/patchOf.js';
import {
  choice,
  flag,
  numberWithin,
  optionalText,
  requiredText,
  wholeNumber,
} from '../../lib/schema/settings.js';
import type { Template } from '../rules/template.js';
import { Addresses, Columns, Headers, OptionalAddresses, SpreadsheetId } from './settingKinds.js';
import { ResponseRulesSchema } from './responseSchema.js';

const DAY_MS = 86_400_000;
const AGE_MAX_MS = 30 * DAY_MS;

/** How long one delivery may take by default. */
const TIMEOUTS_MS = { WEBHOOK: 5_000, EMAIL: 20_000, GOOGLE_SHEET: 10_000, STORE: 5_000 };

/** The default of WEBHOOK, then those that differ from it. */
const timeoutsInWords = Object.entries(TIMEOUTS_MS)
  .filter(([, ms]) => ms !== TIMEOUTS_MS.WEBHOOK)
  .reduce((text, [name, ms]) => `${text}, ${name} ${ms}`, `default ${TIMEOUTS_MS.WEBHOOK}`);

const age = () => wholeNumber(1_000, AGE_MAX_MS).default(DAY_MS);

/** Settings that every method has. */
const common = <M extends keyof typeof TIMEOUTS_MS>(method: M) => ({
  method: z
    .literal(method)
    .describe('Default WEBHOOK. STORE sends nothing and counts leads as accepted'),
  timeout_ms: wholeNumber(100, 30_000)
    .default(TIMEOUTS_MS[method])
    .describe(`Time limit of a delivery, 100 to 30000 ms; ${timeoutsInWords}`),
  honours_idempotency_key: flag()
    .default(false)
    .describe(
      'true: the buyer treats a repeated key as one lead, so an unanswered lead is sent again',
    ),
  on_unknown: choice(['hold', 'assume_accepted', 'fail_over'])
    .default('hold')
    .describe('How a lead is handled that was sent and never answered'),
  hold_max_age_ms: age().describe('How long an unanswered lead is held; default one day'),
  max_age_ms: age().describe('How long a lead may wait for the buyer; default one day'),
  max_concurrent: wholeNumber(1, 1_000)
    .default(10)
    .describe('Maximum concurrent requests while its queue is drained; default 10'),
  max_per_second: numberWithin(0.01, 1_000)
    .nullable()
    .default(null)
    .describe('Maximum requests per second while its queue is drained; null: no limit'),
});

/** An HTTP POST to the buyer's URL. */
const Webhook = z.strictObject({
  ...common('WEBHOOK'),
  url: requiredText(2_000, 'must be the address that leads are posted to').describe(
    'where leads are posted',
  ),
  headers: Headers.default({}).describe(
    'additional headers; [hidden] as a value keeps the stored value, at the same origin',
  ),
  format: choice(['json', 'form']).default('json').describe('json, form'),
  /** The body instead of the default one. Its form depends on `format`, so it is read after both. */
  template: z
    .unknown()
    .transform((given): Template => (given ?? null) as Template)
    .describe('the body, with {{placeholders}}'),
  response: ResponseRulesSchema.nullable().default(null).describe('how the answer is read'),
});

/** A mail through the SMTP server of this installation. */
const Email = z.strictObject({
  ...common('EMAIL'),
  to: Addresses.describe('1 to 20 addresses'),
  cc: OptionalAddresses.describe('up to 20 addresses'),
  subject: optionalText(200).describe('with {{placeholders}}; null: generated from the lead'),
  format: choice(['text', 'html']).default('text').describe('text, html'),
  template: optionalText(65_536).describe('the body, with {{placeholders}}'),
  attach_json: flag().default(false).describe('attaches the lead as a file'),
});

/** A row appended to a sheet that is shared with the service account of this installation. */
const GoogleSheet = z.strictObject({
  ...common('GOOGLE_SHEET'),
  // Before a row is appended again, the sheet is searched for it.
  honours_idempotency_key: flag()
    .default(true)
    .describe('default true; first searches for the row by the id of the lead'),
  spreadsheet_id: SpreadsheetId.describe('its URL, or the id in it'),
  sheet: optionalText(100).describe('name of the tab; null: the first'),
  columns: Columns.nullable()
    .default(null)
    .describe('names of values, after the id of the lead; null: every field of the mapping'),
});

/** Nothing is sent; the lead counts as accepted at once. */
const Store = z.strictObject(common('STORE'));

/** Every method. What depends on the method is made from this table, or has an entry for each key of it. */
export const METHODS = {
  WEBHOOK: Webhook,
  EMAIL: Email,
  GOOGLE_SHEET: GoogleSheet,
  STORE: Store,
} satisfies { [M in keyof typeof TIMEOUTS_MS]: z.ZodObject<{ method: z.ZodLiteral<M> }> };

export const METHOD_NAMES = Object.keys(METHODS) as (keyof typeof METHODS)[];

const { WEBHOOK: first, ...others } = METHODS;
const Delivery = z.discriminatedUnion('method', [first, ...Object.values(others)]);

/** A change of a delivery: null resets a setting to its default. */
export const DeliveryPatch = patchOf(Delivery)
  .extend({
    url: z.string().max(2_000).nullable().optional().describe('WEBHOOK: where leads are posted'),
  })
  .meta({
    description: 'How leads reach the buyer',
    examples: [{ method: 'WEBHOOK', url: 'https://buyer.example/leads' }],
  });
export type DeliveryInput = z.input<typeof DeliveryPatch>;

/** Every setting of every method. */
export const COMMON_KEYS = Object.keys(Store.shape).filter((key) => key !== 'method');
