/** The signature on every delivery (extensions, "Delivery": `X-LeadDistro-Signature`). */
import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 of the raw body, lower-case hex.
 * @param secret the buyer's signing secret; its text, not the bytes its hex stands for, is the key
 */
export function signBody(secret: string, body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
