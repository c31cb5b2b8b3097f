/** Tokens and ids of `src/people`. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const ID_BYTES = 12;
const TOKEN = /^[\w-]{43}$/;

/** 256 bits of chance, base64url: 43 characters. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored of a token: its SHA-256, hex. It is random and long, so no slow hash is needed. */
export const hashToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** The hash of what may be a token; null for a text of another form: no lookup is needed. */
export const hashOfToken = (text: string | undefined): string | null =>
  text !== undefined && TOKEN.test(text) ? hashToken(text) : null;

/** A public id: the prefix and 24 hex digits. */
export const newId = (prefix: 'per' | 'mem' | 'ses' | 'inv'): string =>
  `${prefix}_${randomBytes(ID_BYTES).toString('hex')}`;
