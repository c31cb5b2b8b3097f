/** The id of a change of a sale: the same request is applied once. */
import { createHash } from 'node:crypto';
import type { MeantLead, OutcomeBody } from './rules/outcomeBody.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * From a buyer's idempotency key. An operator's key differs from the same text of the buyer.
 * @param whose `buyer` for the buyer itself
 */
export const changeId = (buyerId: string, whose: 'buyer' | 'operator', key: string): string =>
  `${buyerId}:${sha256(whose === 'buyer' ? key : `${whose} ${key}`)}`;

/** From the parsed content: the same meaning written differently is the same request. */
export const askHash = ({ report, meant }: Pick<OutcomeBody, 'report' | 'meant'>): string => {
  const { outcome, conversion_revenue, lead_value, note } = report;
  const values = [outcome, conversion_revenue, lead_value, note].map((value) => value ?? null);
  return sha256(JSON.stringify([meantTexts(meant), values]));
};

const meantTexts = (meant: MeantLead): (string | null)[] =>
  'lead_id' in meant
    ? ['lead_id', meant.lead_id.toLowerCase(), meant.campaign_id?.toLowerCase() ?? null]
    : [meant.field, String(meant.value), meant.campaign_id.toLowerCase()];
