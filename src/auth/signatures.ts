/** The signatures on what is sent: on every delivery (extensions, "Delivery": `X-LeadDistro-Signature`), and on events. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 of the raw body, lower-case hex.
 * @param secret the buyer's signing secret; its text, not the bytes its hex stands for, is the key
 */
export function signBody(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** How a secret begins that is base64 of its bytes (Standard Webhooks, "Signature scheme"). */
const BASE64_SECRET = 'whsec_';

/**
 * The value of `webhook-signature` (Standard Webhooks): HMAC-SHA256 of id, time and body, base64, one for each secret.
 * @param secrets texts; what follows `whsec_` is base64 of the key, any other text is the key itself
 * @param timestamp seconds since 1970
 */
export function signMessage(
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string {
  const content = `${id}.${String(timestamp)}.${body}`;
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ');
}

/**
 * The headers that sign an event: as deliveries are signed, by the newest secret, and as Standard Webhooks has it.
 * @param secrets the newest first
 */
export function eventSignatures(
  secrets: readonly [string, ...string[]],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = Math.floor(Number(at) / 1_000);
  return {
    'x-leaddistro-signature': signBody(secrets[0], body),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signMessage(secrets, { id, timestamp, body }),
  };
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(BASE64_SECRET)
    ? Buffer.from(secret.slice(BASE64_SECRET.length), 'base64')
    : Buffer.from(secret);

/**
 * Whether a body is the one that was signed. In constant time.
 * @param signature as it was received: upper-case hex is as good
 */
export function isSigned(secret: string, body: string | Uint8Array, signature: string): boolean {
  const right = Buffer.from(signBody(secret, body));
  const given = Buffer.from(signature.trim().toLowerCase());
  return given.length === right.length && timingSafeEqual(given, right);
}
