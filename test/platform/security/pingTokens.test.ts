import { describe, it, expect } from '@jest/globals';
import fc from 'fast-check';
import { CompactSign, UnsecuredJWT } from 'jose';
import { createPingTokens, type PingClaims } from '../../../src/platform/security/pingTokens.js';

const KEY = 'k'.repeat(32);
const OTHER = 'o'.repeat(32);
const EXPIRES = new Date('2026-11-22T10:30:00.000Z');
const before = (ms: number) => () => new Date(Number(EXPIRES) - ms);
const claims: PingClaims = {
  ping_id: '0191f3a0-0000-7000-8000-000000000001',
  org_id: 'org',
  campaign_id: 'campaign',
  supplier_id: 'supplier',
  expires_at: EXPIRES,
};
const tokens = createPingTokens({ keys: [KEY], now: before(60_000) });
const header = (token: string): { kid: string } => {
  const [first = ''] = token.split('.');
  return JSON.parse(Buffer.from(first, 'base64url').toString()) as { kid: string };
};

describe('the token of a ping', () => {
  it('returns what was signed, and nothing else', async () => {
    const token = tokens.sign(claims);
    expect(await tokens.read(token)).toEqual({ kind: 'valid', claims });
    const [, payload = ''] = token.split('.');
    expect(Object.keys(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object)).toEqual(
      ['jti', 'org', 'cid', 'sid', 'iat', 'exp'],
    );
    expect(token.length).toBeLessThan(500);
  });

  it('is expired at the second of its end, and not a millisecond before', async () => {
    const token = tokens.sign(claims);
    const readAt = (ms: number) => createPingTokens({ keys: [KEY], now: before(ms) }).read(token);
    expect(await readAt(1)).toMatchObject({ kind: 'valid' });
    expect(await readAt(0)).toEqual({ kind: 'expired', claims });
    expect(await readAt(-1_000)).toEqual({ kind: 'expired', claims });
  });

  it('never ends before the ping does', async () => {
    const token = tokens.sign({ ...claims, expires_at: new Date(Number(EXPIRES) + 1) });
    expect(await tokens.read(token)).toMatchObject({
      claims: { expires_at: new Date(Number(EXPIRES) + 1_000) },
    });
  });

  it('is read under any known key, and signed with the first', async () => {
    const old = tokens.sign(claims);
    const rotated = createPingTokens({ keys: [OTHER, KEY], now: before(60_000) });
    expect(await rotated.read(old)).toMatchObject({ kind: 'valid' });
    const fresh = rotated.sign(claims);
    expect(header(fresh).kid).not.toBe(header(old).kid);
    expect(await tokens.read(fresh)).toEqual({ kind: 'invalid' });
  });

  it('is invalid once its key is removed', async () => {
    const rotated = createPingTokens({ keys: [OTHER], now: before(60_000) });
    expect(await rotated.read(tokens.sign(claims))).toEqual({ kind: 'invalid' });
  });

  it('is invalid with any bit flipped', async () => {
    const token = Buffer.from(tokens.sign(claims));
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.integer({ min: 0, max: 7 }),
        async (at, bit) => {
          const forged = Buffer.from(token);
          forged[at] = (forged[at] ?? 0) ^ (1 << bit);
          expect(await tokens.read(forged.toString('latin1'))).toEqual({ kind: 'invalid' });
        },
      ),
    );
  });

  it('is invalid with its last character spelled otherwise', async () => {
    const token = tokens.sign(claims);
    const last = token.charCodeAt(token.length - 1);
    for (const step of [-3, -2, -1, 1, 2, 3]) {
      const forged = token.slice(0, -1) + String.fromCharCode(last + step);
      expect(await tokens.read(forged)).toEqual({ kind: 'invalid' });
    }
  });

  it('is invalid when cut, lengthened, or put together of two', async () => {
    const token = tokens.sign(claims);
    const [head = '', payload = '', signature = ''] = token.split('.');
    const [, otherPayload = ''] = tokens.sign({ ...claims, ping_id: 'other' }).split('.');
    for (let end = 0; end < token.length; end += 1) {
      expect(await tokens.read(token.slice(0, end))).toEqual({ kind: 'invalid' });
    }
    const wrong = [
      `${token}A`,
      `${token}.`,
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}.${otherPayload}.${signature}`,
    ];
    for (const forged of wrong) expect(await tokens.read(forged)).toEqual({ kind: 'invalid' });
  });

  it('is invalid under another algorithm, none, and headers that must be understood', async () => {
    const token = tokens.sign(claims);
    const { kid } = header(token);
    const [, payload = ''] = token.split('.');
    const bytes = Buffer.from(payload, 'base64url');
    const key = Buffer.from(KEY);
    const unsigned = new UnsecuredJWT({ jti: 'x' }).encode();
    const none = `${Buffer.from(JSON.stringify({ alg: 'none', kid })).toString('base64url')}.${payload}.`;
    const signed = (rest: object) =>
      new CompactSign(bytes)
        .setProtectedHeader({ alg: 'HS256', kid, ...rest })
        .sign('alg' in rest ? Buffer.concat([key, key]) : key, {
          crit: { 'urn:unknown': true },
        });
    const forged = [
      unsigned,
      none,
      await signed({ alg: 'HS512' }),
      await signed({ crit: ['urn:unknown'], 'urn:unknown': true }),
      await signed({ kid: 'ffffffff' }),
      await signed({ kid: undefined }),
      await signed({ kid: '__proto__' }),
    ];
    for (const one of forged) expect(await tokens.read(one)).toEqual({ kind: 'invalid' });
  });

  it('is invalid when our key signed something that is not a ping', async () => {
    const { kid } = header(tokens.sign(claims));
    for (const payload of ['', 'null', '[]', '{"jti":"x"}', '{"jti":', '\u0000']) {
      const token = await new CompactSign(Buffer.from(payload))
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(Buffer.from(KEY));
      expect(await tokens.read(token)).toEqual({ kind: 'invalid' });
    }
  });

  it('is invalid for any other input', async () => {
    const anything = fc.oneof(
      fc.anything(),
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((p) => p.join('.')),
      fc.json().map((text) => `${Buffer.from(text).toString('base64url')}.e30.e30`),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        expect(await tokens.read(text)).toEqual({ kind: 'invalid' });
      }),
    );
  });

  it('is refused unread when it is far too long', async () => {
    const token = tokens.sign(claims);
    expect(await tokens.read(token.padEnd(100_000, 'A'))).toEqual({ kind: 'invalid' });
    expect(await tokens.read('a.'.repeat(50_000))).toEqual({ kind: 'invalid' });
  });

  it('needs a key', () => {
    expect(() => createPingTokens({ keys: [], now: before(0) })).toThrow(/need a key/);
  });
});
