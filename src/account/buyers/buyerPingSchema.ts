/** How a buyer is asked for bids (contract 5.3): what the settings may hold, published, parsed and typed. */
import { z } from 'zod';
import { patchOf } from '../../lib/schema/patchOf.js';
import { flag, requiredText, texts, wholeNumber } from '../../lib/schema/settings.js';
import { ResponseRulesSchema } from './responseSchema.js';
import { Headers } from './settingKinds.js';

const URL_TEXT = 'The URL that is asked for bids';

export const BuyerPingSchema = z.strictObject({
  enabled: flag().default(true).describe('Default true; false: its price is its bid'),
  url: requiredText(2_000, 'must be the URL that is asked for bids').describe(URL_TEXT),
  timeout_ms: wholeNumber(50, 3_000)
    .default(500)
    .describe(
      "Maximum wait for its bid in milliseconds, 50 to 3000, within the campaign's deadline; default 500",
    ),
  fields: texts(100)
    .transform((names) => [...new Set(names)])
    .prefault([])
    .describe('Fields sent in addition to those that every ping must have; nothing else is sent'),
  headers: Headers.default({}).describe(
    'Additional headers; [hidden] as a value keeps the stored value, at the same origin',
  ),
  response: ResponseRulesSchema.nullable()
    .default(null)
    .describe(
      'How its answer is read: accept_when, reject_when, price_path, reference_path, reason_path',
    ),
});

/** Null resets a setting to its default; a single field may be text. */
export const BuyerPingPatch = patchOf(BuyerPingSchema)
  .extend({ url: z.string().max(2_000).nullable().optional().describe(URL_TEXT) })
  .describe('How the buyer is asked for bids');
export type BuyerPingInput = z.input<typeof BuyerPingPatch>;
