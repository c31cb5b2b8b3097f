/** The signature on every delivery (extensions, "Delivery": `X-LeadDistro-Signature`). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 of the raw body, lower-case hex.
 * @param secret the buyer's signing secret; its text, not the bytes its hex stands for, is the key
 */
export function signBody(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/**
 * Whether a body is the one that was signed. In constant time.
 * @param signature as it was received: upper-case hex is as good
 */
export function isSigned(secret: string, body: string | Uint8Array, signature: string): boolean {
  const right = Buffer.from(signBody(secret, body));
  const given = Buffer.from(signature.trim().toLowerCase());
  return given.length === right.length && timingSafeEqual(given, right);
}
