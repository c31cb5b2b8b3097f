/**
 * The signatures on requests to buyers and on events: `X-LeadDistro-Signature` (contract 6.3) and those of Standard
 * Webhooks.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SealedPlace, SealedValue } from './sealedValue.js';
import type { Keyring } from './seal.js';

/**
 * HMAC-SHA256 of the raw body, lower-case hex.
 * @param secret the buyer's signing secret; its text, not the bytes its hex stands for, is the key
 */
export function signBody(secret: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The prefix of a secret that is base64 of its bytes (Standard Webhooks, "Signature scheme"). */
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
 * The headers that sign a request: `X-LeadDistro-Signature` by the newest secret alone, since it holds one signature, and
 * those of Standard Webhooks by each secret.
 * @param secrets the newest first
 * @param message its id, without a dot, is the same each time it is sent; `at` is when it is sent
 */
export function signedHeaders(
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

/** Never bytes: Node 24 takes 14 microseconds for an HMAC whose key is bytes, and 3 with a text or a key object. */
const keyOf = (secret: string): string | KeyObject =>
  secret.startsWith(BASE64_SECRET)
    ? createSecretKey(Buffer.from(secret.slice(BASE64_SECRET.length), 'base64'))
    : secret;

/** A secret that was replaced, and still signs until its end. */
interface ReplacedSecret {
  secret: SealedValue;
  until: Date;
}

/**
 * The secrets that sign at a moment, opened, the newest first.
 * @throws {Error} when one was sealed under a key that is not given
 */
export function signingSecrets(
  current: SealedValue,
  replaced: ReplacedSecret | null | undefined,
  { keyring, now, place }: { keyring: Pick<Keyring, 'open'>; now: Date; place: SealedPlace },
): [string, ...string[]] {
  const before = replaced && replaced.until > now ? [keyring.open(replaced.secret, place)] : [];
  return [keyring.open(current, place), ...before];
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
