/** How a buyer is asked for bids (contract 5.3), as a person sets it up: the settings, published, parsed and checked. */
import { z } from 'zod';
import type { BuyerPing } from '../rules/pingSettings.js';
import { withoutKeys } from '../../lib/defined.js';
import { didYouMean } from '../../lib/nearest.js';
import { patchOf } from '../../lib/schema/patchOf.js';
import { flag, requiredText, texts, wholeNumber } from '../../lib/schema/settings.js';
import { layOver, readParts, settled, type Problem } from '../../lib/schema/zodIssues.js';
import { RESERVED_PING_HEADERS } from '../rules/reservedHeaders.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { mergeHeaders, hiddenHeaders } from './delivery/headers.js';
import { type MethodContext, urlProblems } from './delivery/method.js';
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

type StoredPing = NonNullable<BuyerDoc['ping']>;

/**
 * Complete settings from what was given, over `current` where there is one; enabled by default.
 * @param context its field names are those that some campaign has
 * @throws {AppError} `validation_failed` naming every setting that is not valid
 */
export function checkBuyerPing(
  input: BuyerPingInput,
  { policy, fieldNames }: MethodContext,
  current?: StoredPing,
): StoredPing {
  const keys = Object.keys(BuyerPingSchema.shape);
  const laid = layOver(input, current, keys);
  const { headers, problems: ofHeaders } = mergeHeaders(laid, current, RESERVED_PING_HEADERS);
  // Headers are read separately: stored ones are sealed.
  const { values, problems } = readParts(
    BuyerPingSchema,
    withoutKeys(laid, ['headers']),
    (hint) => `is not a setting of ping.${hint}`,
  );
  const byContext = [
    ...urlProblems(values.url, policy, current?.url),
    ...fieldProblems(values.fields ?? [], fieldNames),
    ...ofHeaders,
  ];
  const { response, ...settings } = settled<typeof BuyerPingSchema>('ping', {
    values,
    problems: [...problems, ...byContext],
  });
  return { ...settings, headers, response: response ?? undefined };
}

const fieldProblems = (names: readonly string[], known: readonly string[]): Problem[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: ['fields'],
      code: 'not_allowed',
      rule: `names "${name}", which is not a field of a campaign.${didYouMean(name, known)}`,
    }));

/** The settings as they are shown, without header values; undefined where none have been set. */
export const buyerPingView = ({ ping }: Pick<BuyerDoc, 'ping'>) =>
  ping && {
    ...ping,
    headers: hiddenHeaders(ping.headers),
    response: ping.response && { ...ping.response },
  };

/** The ping settings of a plan: absent unless the ping is enabled. */
export function enabledPing({ ping }: Pick<BuyerDoc, 'ping'>): BuyerPing | undefined {
  if (!ping?.enabled) return undefined;
  const { url, timeout_ms, fields, headers, response } = ping;
  return { url, timeout_ms, fields, headers, ...(response ? { response } : {}) };
}
