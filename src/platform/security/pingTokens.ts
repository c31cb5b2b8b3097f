/** The token in the answer to a ping (contract 5.5): signed, and without personal data. */
import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, errors } from 'jose';
import { z } from 'zod';

export interface PingClaims {
  ping_id: string;
  org_id: string;
  campaign_id: string;
  supplier_id: string;
  /** The token's end: in whole seconds, never before the ping's own, which MongoDB has. */
  expires_at: Date;
}

export type ReadToken =
  | { kind: 'valid'; claims: PingClaims }
  | { kind: 'expired'; claims: PingClaims }
  | { kind: 'invalid' };

/** Our tokens have less than 500 characters: a much longer text is not checked. */
const TOKEN_MAX = 2_000;

const payloadRule = z.object({
  jti: z.string(),
  org: z.string(),
  cid: z.string(),
  sid: z.string(),
  iat: z.number(),
  exp: z.number().int().positive().max(1e12),
});

export type PingTokens = ReturnType<typeof createPingTokens>;

/**
 * Signs and reads compact JWS (RFC 7515) with HS256 (RFC 7518, 3.2); `kid` names the key.
 * @param keys the first signs, all are known; each 32 characters or more
 * @param now the clock
 */
export function createPingTokens({ keys, now }: { keys: readonly string[]; now: () => Date }) {
  const known = new Map(keys.map((key) => [keyId(key), createSecretKey(Buffer.from(key))]));
  const [first] = known;
  if (!first) throw new Error('Ping tokens need a key to be signed with');
  const [kid, signingKey] = first;

  const claimsIn = async (token: unknown): Promise<PingClaims | null> => {
    if (typeof token !== 'string' || token.length > TOKEN_MAX) return null;
    if (!hasOneSpelling(token)) return null;
    const header = decodeProtectedHeader(token);
    const key = header.kid === undefined ? undefined : known.get(header.kid);
    if (!key) return null;
    const { payload } = await compactVerify(token, key, { algorithms: ['HS256'] });
    const parsed = payloadRule.safeParse(JSON.parse(Buffer.from(payload).toString('utf8')));
    if (!parsed.success) return null;
    const { jti: ping_id, org: org_id, cid: campaign_id, sid: supplier_id, exp } = parsed.data;
    return { ping_id, org_id, campaign_id, supplier_id, expires_at: new Date(exp * 1_000) };
  };

  return {
    sign({ ping_id, org_id, campaign_id, supplier_id, expires_at }: PingClaims): string {
      const iat = Math.floor(Number(now()) / 1_000);
      const exp = Math.ceil(Number(expires_at) / 1_000);
      const claims = { jti: ping_id, org: org_id, cid: campaign_id, sid: supplier_id, iat, exp };
      return signCompact({ alg: 'HS256', kid }, claims, signingKey);
    },
    /** expired: signed by us, and its time is over. invalid: any other fault. */
    async read(token: unknown): Promise<ReadToken> {
      const claims = await claimsIn(token).catch(nothingIfForged);
      if (!claims) return { kind: 'invalid' };
      return { kind: now() < claims.expires_at ? 'valid' : 'expired', claims };
    },
  };
}

/** Identifies a key without revealing it: the first 8 hex digits of its SHA-256. */
const keyId = (key: string): string =>
  createHash('sha256').update(`leadwire ping ${key}`).digest('hex').slice(0, 8);

/**
 * A compact JWS (RFC 7515, 7.1). Not by the library that reads them: it signs by WebCrypto, on another thread, which
 * takes 90 microseconds of every ping instead of 5.
 */
function signCompact(header: object, claims: object, key: KeyObject): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

/**
 * Whether it is three parts of base64url in their canonical form: the last character of a signature has unused bits,
 * and a token must not have several spellings.
 */
const hasOneSpelling = (token: string): boolean => {
  const parts = token.split('.');
  return (
    parts.length === 3 &&
    parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
};

/** The library throws for every wrong token, and a plain TypeError for a malformed header. */
function nothingIfForged(error: unknown): null {
  const isForged =
    error instanceof errors.JOSEError || error instanceof TypeError || error instanceof SyntaxError;
  if (isForged) return null;
  throw error;
}
