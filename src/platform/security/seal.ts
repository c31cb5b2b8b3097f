/**
 * Secrets that must be read again are stored sealed under a key made from LEADWIRE_SECRET; values are hashed under
 * another.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto';
import type { SealedValue } from './sealedValue.js';

export interface Keyring {
  /** Names the key that new values are sealed under: 8 hex digits, made from the secret. */
  readonly keyId: string;
  /** AES-256-GCM with a random IV: the same text gives another value each time. */
  seal(text: string): SealedValue;
  /**
   * The same with an IV made from the text (HMAC-SHA256 under a key of its own): an unchanged text keeps its sealed
   * bytes, in every process and each time, so that records can be compared. They reveal only that two texts are equal.
   * @param of what the text belongs to: equal texts of different owners give different values
   */
  sealEqual(text: string, of: string): SealedValue;
  /** @throws {Error} when the value was sealed under a secret that is not given, or was changed since */
  open(value: SealedValue): string;
  /**
   * A keyed hash that finds equal values and cannot be turned back without the secret: HMAC-SHA256,
   * base64url, 22 characters (132 bits). Always made with the current secret: changing the secret makes
   * earlier hashes unknown.
   */
  claimHash(text: string): string;
  /**
   * The stored form of an entry of a suppression list: HMAC-SHA256, the first 32 hex digits (128 bits). By the current
   * secret first, then by each older one, for entries stored under an older secret cannot be hashed again.
   */
  entryHashes(text: string): [string, ...string[]];
}

const CIPHER: CipherGCMTypes = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CLAIM_HASH_LENGTH = 22;
const ENTRY_HASH_LENGTH = 32;

/**
 * @param secret seals new values and keys the hashes
 * @param older previous secrets, under which values may still be sealed
 */
export function createKeyring(secret: string, older: readonly string[] = []): Keyring {
  const keyId = keyIdOf(secret);
  const sealKeys = new Map([...older, secret].map((known) => [keyIdOf(known), sealKeyOf(known)]));
  const sealKey = sealKeyOf(secret);
  const ivKey = createSecretKey(derive(secret, 'seal iv', 32));
  const claimKey = createSecretKey(derive(secret, 'claim hash', 32));
  const entryKey = entryKeyOf(secret);
  const olderEntryKeys = older.filter((one) => one !== secret).map(entryKeyOf);
  /** Plans are kept in memory, and so are their opened secrets: each delivery is signed. */
  const opened = new WeakMap<SealedValue, string>();
  const sealWith = (text: string, iv: Uint8Array): SealedValue => {
    const cipher = createCipheriv(CIPHER, sealKey, iv, { authTagLength: TAG_BYTES });
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      key_id: keyId,
      iv: Buffer.from(iv).toString('base64url'),
      tag: cipher.getAuthTag().toString('base64url'),
      data: data.toString('base64url'),
    };
  };

  return {
    keyId,
    seal: (text) => sealWith(text, randomBytes(IV_BYTES)),
    sealEqual: (text, of) =>
      sealWith(
        text,
        createHmac('sha256', ivKey)
          .update(JSON.stringify([of, text]))
          .digest()
          .subarray(0, IV_BYTES),
      ),
    open: (value) => {
      const known = opened.get(value);
      if (known !== undefined) return known;
      const key = sealKeys.get(value.key_id);
      if (!key) {
        throw new Error(
          `This value was sealed under the key ${value.key_id}; the configured secrets have ` +
            `${[...sealKeys.keys()].join(', ')}. Add the secret it was sealed under as an older one.`,
        );
      }
      const text = unseal(value, key);
      opened.set(value, text);
      return text;
    },
    claimHash: (text) =>
      createHmac('sha256', claimKey).update(text).digest('base64url').slice(0, CLAIM_HASH_LENGTH),
    entryHashes: (text) => [
      entryHash(entryKey, text),
      ...olderEntryKeys.map((key) => entryHash(key, text)),
    ],
  };
}

const entryHash = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex').slice(0, ENTRY_HASH_LENGTH);

function unseal(value: SealedValue, key: KeyObject): string {
  try {
    const iv = Buffer.from(value.iv, 'base64url');
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(Buffer.from(value.tag, 'base64url'));
    const data = Buffer.from(value.data, 'base64url');
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(
      `This value, sealed under the key ${value.key_id}, was changed after it was sealed`,
      { cause },
    );
  }
}

/** Signs the tokens of pings when no setting gives another key: 43 characters of base64url. */
export const pingKeyOf = (secret: string): string =>
  derive(secret, 'ping tokens', 32).toString('base64url');

/** Signs the links by which recipients of mails confirm. */
export const mailKeyOf = (secret: string): KeyObject =>
  createSecretKey(derive(secret, 'mail confirmation', 32));

/** Signs the tokens in the pages of funnels. */
export const funnelKeyOf = (secret: string): KeyObject =>
  createSecretKey(derive(secret, 'funnel tokens', 32));

const keyIdOf = (secret: string): string => derive(secret, 'key id', 4).toString('hex');
const entryKeyOf = (secret: string): KeyObject =>
  createSecretKey(derive(secret, 'suppression entry', 32));
const sealKeyOf = (secret: string): KeyObject => createSecretKey(derive(secret, 'seal', 32));

/**
 * HKDF-SHA256: one independent key per purpose from one secret. Keys that are used for every lead become key objects:
 * Node 24 takes 18 instead of 3 microseconds for an HMAC whose key is bytes.
 */
function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'leadwire', `leadwire ${purpose}`, bytes));
}
