/** API keys and secrets: their form, how they are compared, and how they are stored. */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { lruMap } from '../../lib/lruMap.js';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const KEY_LENGTH = 'lw_live_'.length + RANDOM_LENGTH + CHECK_LENGTH;

/**
 * A new API key: `lw_live_` or `lw_test_`, 32 random characters (190 bits), and a checksum of all that precedes, so
 * that a mistyped key is refused, and scanners find a leaked one, without a database.
 */
export function createKey(mode: 'live' | 'test'): string {
  const start = `lw_${mode}_${randomBase62(RANDOM_LENGTH)}`;
  return start + checksum(start);
}

/** Whether a text has the shape and the checksum of a key; not whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  if (text.length !== KEY_LENGTH || !/^lw_(?:live|test)_[0-9A-Za-z]+$/.test(text)) return false;
  const start = text.slice(0, -CHECK_LENGTH);
  return checksum(start) === text.slice(-CHECK_LENGTH);
}

/** What is stored of a key or secret: its SHA-256, hex. They are random and long, so no slow hash is needed. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** A new secret of a buyer, for postbacks or signatures: 32 random bytes, hex. */
export function createSecret(): string {
  return randomBytes(32).toString('hex');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let n = 0; n < CHECK_LENGTH; n += 1) {
    digits = DIGITS.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte: values above would favor the first digits.
      if (byte < 248 && text.length < length) text += DIGITS.charAt(byte % 62);
    }
  }
  return text;
}

/** The token of an `Authorization: Bearer …` header (RFC 6750, section 2.1); undefined where it is none. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];

/** A new key is random, so no caller can have sent it before; the limit matters for records restored by hand. */
const UNKNOWN_KEPT_MS = 10_000;
const UNKNOWN_KEYS_MAX = 10_000;

/**
 * Remembers keys that were not found, so that the next request with the same key costs no lookup.
 * @param now a monotonic clock in milliseconds
 */
export function createUnknownKeys(now: () => number = () => performance.now()) {
  const until = lruMap<string, number>(UNKNOWN_KEYS_MAX);
  return {
    has: (hash: string): boolean => now() < (until.get(hash) ?? -Infinity),
    add: (hash: string): void => until.set(hash, now() + UNKNOWN_KEPT_MS),
  };
}
