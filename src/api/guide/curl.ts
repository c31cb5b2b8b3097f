/** Command lines that work when pasted into a shell. */
import type { Fields } from '../../fields/values.js';

/** Within single quotes a shell interprets only the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const curlOfLead = (url: string, key: string, lead: Fields): string =>
  [
    `curl -sS ${quoted(url)}`,
    `  -H 'content-type: application/json'`,
    `  -H ${quoted(`x-api-key: ${key}`)}`,
    `  -d ${quoted(JSON.stringify(lead))}`,
  ].join(' \\\n');

/** The status of a lead with this email. */
export function curlOfLookup(base: string, key: string, campaignId: string, lead: Fields): string {
  const query = new URLSearchParams({
    campaign_id: campaignId,
    email: String(lead.email ?? 'jane.doe@example.com'),
  });
  const url = `${base}/api/v1/leads/lookup?${query.toString()}`;
  return [`curl -sS ${quoted(url)}`, `  -H ${quoted(`x-api-key: ${key}`)}`].join(' \\\n');
}
