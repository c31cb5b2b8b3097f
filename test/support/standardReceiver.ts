/** A receiver that verifies webhooks with the library of the authors of Standard Webhooks. */
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/**
 * Whether the receiver verifies the request as sent just now by the owner of the secret.
 * @param secret as shown: base64 after `whsec_`, or the text that is the key (docs/api.md)
 */
export function isVerified(
  secret: string,
  { headers, rawBody }: { headers: IncomingHttpHeaders; rawBody: string },
): boolean {
  const given = secret.startsWith('whsec_')
    ? secret
    : `whsec_${Buffer.from(secret).toString('base64')}`;
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  try {
    const named = Object.fromEntries(texts) as Record<string, string>;
    new Webhook(given).verify(rawBody, named, { jsonParse: false });
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}
