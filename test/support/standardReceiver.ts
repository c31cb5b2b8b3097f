/** A receiver that checks webhooks by the library that the authors of Standard Webhooks keep. */
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

/**
 * Whether it takes the request for one that the owner of the secret has just sent.
 * @param secret as it was shown: base64 after `whsec_`, or the text that is the key (docs/api.md)
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
