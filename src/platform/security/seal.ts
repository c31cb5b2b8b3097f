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
import type { SealedPlace, SealedValue } from './sealedValue.js';

const CIPHER: CipherGCMTypes = 'aes-256-gcm';
/** The first byte of what is authenticated with a value, before its place. */
const BOUND = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CLAIM_HASH_LENGTH = 22;
const ENTRY_HASH_LENGTH = 32;

export type Keyring = ReturnType<typeof createKeyring>;

/**
 * @param secret seals new values and keys the hashes
 * @param older previous secrets, under which values may still be sealed
 */
export function createKeyring(secret: string, older: readonly string[] = []) {
  const keyId = keyIdOf(secret);
  const sealKeys = new Map([...older, secret].map((known) => [keyIdOf(known), sealKeyOf(known)]));
  const sealKey = sealKeyOf(secret);
  const ivKey = createSecretKey(derive(secret, 'seal iv', 32));
  const claimKey = createSecretKey(derive(secret, 'claim hash', 32));
  const entryKey = entryKeyOf(secret);
  const olderEntryKeys = older.filter((one) => one !== secret).map(entryKeyOf);
  /** Plans are kept in memory, and so are their opened secrets: each delivery is signed. */
  const opened = new WeakMap<SealedValue, { bound: Buffer; text: string }>();
  const sealWith = (text: string, iv: Uint8Array, bound: Buffer): SealedValue => {
    const cipher = createCipheriv(CIPHER, sealKey, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(bound);
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return {
      v: BOUND,
      key_id: keyId,
      iv: Buffer.from(iv).toString('base64url'),
      tag: cipher.getAuthTag().toString('base64url'),
      data: data.toString('base64url'),
    };
  };

  /** Another place gives another IV: one that is used twice may authenticate only the same bytes. */
  const sealEqual = (text: string, place: SealedPlace): SealedValue => {
    const bound = boundOf(place);
    const iv = createHmac('sha256', ivKey).update(bound).update('\0').update(text).digest();
    return sealWith(text, iv.subarray(0, IV_BYTES), bound);
  };
  const open = (value: SealedValue, place: SealedPlace): string => {
    const bound = boundOf(place);
    const known = opened.get(value);
    if (known?.bound.equals(bound)) return known.text;
    const key = sealKeys.get(value.key_id);
    if (!key) {
      throw new Error(
        `This value was sealed under the key ${value.key_id}; the configured secrets have ` +
          `${[...sealKeys.keys()].join(', ')}. Add the secret it was sealed under as an older one.`,
      );
    }
    const text = unseal(value, key, bound);
    opened.set(value, { bound, text });
    return text;
  };

  return {
    /** Names the key that new values are sealed under: 8 hex digits, made from the secret. */
    keyId,
    /** AES-256-GCM with a random IV: the same text gives another value each time. */
    seal: (text: string, place: SealedPlace): SealedValue =>
      sealWith(text, randomBytes(IV_BYTES), boundOf(place)),
    /**
     * The same with an IV made from the text (HMAC-SHA256 under a key of its own): an unchanged text keeps its sealed
     * bytes, in every process and each time, so that records can be compared. They reveal only that two texts of one place
     * are equal.
     */
    sealEqual,
    /**
     * @throws {Error} when the value was sealed under a secret that is not given, was changed since, or belongs to another
     * place
     */
    open,
    /**
     * The value as it would be sealed today: bound to its place, under the current secret, and with the same bytes each
     * time. The value itself where it is.
     * @throws {Error} as `open`
     */
    reseal: (value: SealedValue, place: SealedPlace): SealedValue => {
      const isCurrent = value.v === BOUND && value.key_id === keyId;
      return isCurrent ? value : sealEqual(open(value, place), place);
    },
    /**
     * A keyed hash that finds equal values and cannot be turned back without the secret: HMAC-SHA256,
     * base64url, 22 characters (132 bits). Always made with the current secret: changing the secret makes
     * earlier hashes unknown.
     */
    claimHash: (text: string): string =>
      createHmac('sha256', claimKey).update(text).digest('base64url').slice(0, CLAIM_HASH_LENGTH),
    /**
     * The stored form of an entry of a suppression list: HMAC-SHA256, the first 32 hex digits (128 bits). By the current
     * secret first, then by each older one, for entries stored under an older secret cannot be hashed again.
     */
    entryHashes: (text: string): [string, ...string[]] => [
      entryHash(entryKey, text),
      ...olderEntryKeys.map((key) => entryHash(key, text)),
    ],
  };
}

const entryHash = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex').slice(0, ENTRY_HASH_LENGTH);

/** What is authenticated with a value. */
const boundOf = ({ collection, id, field }: SealedPlace): Buffer =>
  Buffer.concat([Buffer.from([BOUND]), Buffer.from(JSON.stringify([collection, id, field]))]);

function unseal(value: SealedValue, key: KeyObject, bound: Buffer): string {
  try {
    const iv = Buffer.from(value.iv, 'base64url');
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(Buffer.from(value.tag, 'base64url'));
    // Values of an earlier release authenticate themselves alone.
    if (value.v !== undefined) decipher.setAAD(bound);
    const data = Buffer.from(value.data, 'base64url');
    return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new Error(
      `This value, sealed under the key ${value.key_id}, was changed after it was sealed, or is not where it belongs`,
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
