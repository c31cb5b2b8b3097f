/** The HTTP request that asks a buyer for its bid (contract 5.4). */
import { fieldOf } from '../../fields/fields.js';
import type { Fields } from '../../fields/values.js';
import type { FieldRule } from '../../fields/fieldRule.js';
import { receiverHeaders, RESERVED_PING_HEADERS } from '../../account/rules/reservedHeaders.js';
import type { BuyerPing } from '../../account/rules/pingSettings.js';

export interface PingRequest {
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** The ping that buyers receive. */
export interface AskedPing {
  ping_id: string;
  campaign_id: string;
  is_test: boolean;
  fields: Fields;
}

/**
 * Sends only `ping_required` fields and those that the buyer's ping names; never the supplier. A field cannot override
 * `ping_id`, `campaign_id` and `is_test`. The caller signs the body.
 * @param rules the campaign's mapping
 */
export function buildPing(
  ping: AskedPing,
  rules: readonly FieldRule[],
  settings: Pick<BuyerPing, 'url' | 'fields'> & { headers: Readonly<Record<string, string>> },
): PingRequest {
  const { ping_id, campaign_id, is_test, fields } = ping;
  const required = rules.filter((rule) => rule.ping_required).map(({ name }) => name);
  const sentFields = [...required, ...settings.fields].flatMap((name) => {
    const value = fieldOf(fields, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const named = { ping_id, campaign_id, is_test };
  return {
    url: settings.url,
    headers: {
      ...receiverHeaders(settings.headers, RESERVED_PING_HEADERS),
      'content-type': 'application/json',
      'x-ping-id': ping_id,
    },
    // Twice: the first time for the order, the second time to override fields of the same name.
    body: JSON.stringify({ ...named, ...Object.fromEntries(sentFields), ...named }),
  };
}
