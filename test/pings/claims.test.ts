/** What a token alone shows about a request: every invalid one has its code. */
import { describe, expect, it } from '@jest/globals';
import { CompactSign, UnsecuredJWT } from 'jose';
import fc from 'fast-check';
import { systemClock } from '../../src/lib/clock.js';
import { createPingClaims } from '../../src/ingest/pingClaim.js';
import { PING_KEY, tokensOf } from '../support/pings.js';

const PLAN = { routing_method: 'PING_POST', org_id: 'org', campaign_id: 'campaign' } as const;
const inMs = (ms: number): Date => new Date(Date.now() + ms);
const CLAIMS = { ping_id: 'ping', org_id: 'org', campaign_id: 'campaign', supplier_id: 'me' };
const OTHER_KEY = 'another key of 32 characters or more, too';

const signed = (more: Partial<typeof CLAIMS & { expires_at: Date }> = {}, key = PING_KEY) =>
  tokensOf(key).sign({ ...CLAIMS, expires_at: inMs(60_000), ...more });
const readClaim = (...keys: string[]) =>
  createPingClaims({ tokens: tokensOf(...keys), clock: systemClock });
const read = (body: Record<string, unknown>) => readClaim()(body, PLAN, 'me');
const codesOf = async (token: unknown) =>
  (await read({ flo_ping_id: token })).errors.map(({ field, code }) => `${field} ${code}`);

describe('the ping_id of a request', () => {
  it('names its ping', async () => {
    const token = signed();
    expect(await read({ flo_ping_id: ` ${token}\n`, flo_buyer_id: ' b1 ' })).toEqual({
      claim: { ping_id: 'ping', buyer: 'b1' },
      errors: [],
    });
  });

  it('is ignored when a campaign accepts leads without pings', async () => {
    const direct = { ...PLAN, routing_method: 'DIRECT_POST' } as const;
    expect(await readClaim()({ flo_ping_id: 5, flo_buyer_id: 5 }, direct, 'me')).toEqual({
      claim: null,
      errors: [],
    });
  });

  it.each([undefined, null, '', '  '])('is required (%j)', async (token) => {
    expect(await codesOf(token)).toEqual(['flo_ping_id required']);
  });

  it.each([5, true, {}, ['a.b.c']])('is text (%j)', async (token) => {
    expect(await codesOf(token)).toEqual(['flo_ping_id invalid_type']);
  });

  it.each([
    ['account', { org_id: 'other' }],
    ['campaign', { campaign_id: 'other' }],
    ['supplier', { supplier_id: 'other' }],
  ])('of another %s does not match', async (whose, claims) => {
    const { errors } = await read({ flo_ping_id: signed(claims) });
    expect(errors).toMatchObject([{ field: 'flo_ping_id', code: 'mismatch' }]);
    expect(errors[0]?.message).toContain(`belongs to another ${whose}`);
  });

  it('returns expired late while the request may be a resend', async () => {
    const token = signed({ expires_at: inMs(-1_000) });
    expect(await read({ flo_ping_id: token })).toMatchObject({
      claim: { ping_id: 'ping', expired: true },
      errors: [],
      late: { field: 'flo_ping_id', code: 'expired' },
    });
  });

  it('returns expired at once when the resend window has passed', async () => {
    expect(await codesOf(signed({ expires_at: inMs(-602_000) }))).toEqual(['flo_ping_id expired']);
  });

  it('is invalid with a removed key, and valid with one that no longer signs', async () => {
    const token = signed({}, OTHER_KEY);
    expect(await codesOf(token)).toEqual(['flo_ping_id invalid']);
    const rotated = readClaim(PING_KEY, OTHER_KEY);
    expect(await rotated({ flo_ping_id: token }, PLAN, 'me')).toMatchObject({ errors: [] });
  });

  it('is invalid without a signature, or signed in another way', async () => {
    const payload = { jti: 'ping', org: 'org', cid: 'campaign', sid: 'me', iat: 1, exp: 9e9 };
    const bytes = Buffer.from(JSON.stringify(payload));
    const [header = ''] = signed().split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const key = Buffer.from(PING_KEY);
    const sign = (alg: string) => new CompactSign(bytes).setProtectedHeader({ alg, kid }).sign(key);
    const none = new UnsecuredJWT(payload).encode();
    for (const token of [none, `${none}x`, await sign('HS384'), await sign('HS512')])
      expect(await codesOf(token)).toEqual(['flo_ping_id invalid']);
    expect(await codesOf(await sign('HS256'))).toEqual([]);
  });

  it('is invalid with any bit flipped or any end cut off', async () => {
    const token = signed();
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.nat(6), async (at, bit) => {
        const turned = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
        const forged = token.slice(0, at) + turned + token.slice(at + 1);
        expect(await codesOf(forged)).toEqual(['flo_ping_id invalid']);
        if (at > 0) expect(await codesOf(token.slice(0, at))).toEqual(['flo_ping_id invalid']);
      }),
    );
  });
});

describe('the buyer that a request selects', () => {
  it('is text, or left out', async () => {
    const flo_ping_id = signed();
    expect((await read({ flo_ping_id, flo_buyer_id: 7 })).errors).toMatchObject([
      { field: 'flo_buyer_id', code: 'invalid_type' },
    ]);
    expect(await read({ flo_ping_id, flo_buyer_id: null })).toEqual({
      claim: { ping_id: 'ping' },
      errors: [],
    });
  });
});
