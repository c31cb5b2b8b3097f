/** How a buyer is asked for bids, as a person sets it up. */
import type { BuyerPing } from '../rules/pingSettings.js';
import { withoutKeys } from '../../lib/defined.js';
import { didYouMean } from '../../lib/nearest.js';
import { layOver, readParts, settled, type Problem } from '../../lib/schema/zodIssues.js';
import { RESERVED_PING_HEADERS } from '../rules/reservedHeaders.js';
import type { BuyerDoc } from '../store/accountDocs.js';
import { BuyerPingSchema, type BuyerPingInput } from './buyerPingSchema.js';
import { mergeHeaders, hiddenHeaders } from './delivery/headers.js';
import { type MethodContext, urlProblems } from './delivery/method.js';

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
