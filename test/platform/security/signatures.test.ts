import fc from 'fast-check';
import { describe, it, expect } from '@jest/globals';
import { signBody, signedHeaders, signMessage } from '../../../src/platform/security/signatures.js';
import { isVerified } from '../../support/standardReceiver.js';

describe('signBody', () => {
  it('is the HMAC-SHA256 that any other implementation computes (RFC 4231, case 2)', () => {
    expect(signBody('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('uses the text of a hex secret as the key, and signs the UTF-8 bytes of the body', () => {
    expect(signBody('00ff', '{"name":"Zoë"}')).toBe(
      '4f0a750e2d0b338d0ae45a10425a5e6bd074e3bb645dd02985d1289dbdb61a71',
    );
  });
});

describe('signMessage', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  };

  it('is what any other implementation of Standard Webhooks computes', () => {
    expect(signMessage(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('uses any other text as the key itself, and signs once for each secret', () => {
    const key = Buffer.from('plain').toString('base64');
    const [one, other] = signMessage(['plain', `whsec_${key}`], message).split(' ');
    expect(one).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(other).toBe(one);
  });
});

describe('signedHeaders', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  const base64 = fc
    .uint8Array({ minLength: 1, maxLength: 64 })
    .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
  const secret = fc.oneof(text, base64);
  const message = fc.record({ id: fc.uuid(), body: fc.string({ unit: 'grapheme' }) });

  it('are verified by the library of Standard Webhooks with any secret that signs, and no other', () => {
    fc.assert(
      fc.property(secret, secret, fc.uuid(), message, (fresh, old, other, { id, body }) => {
        const headers = signedHeaders([fresh, old], { id, body, at: new Date() });
        const verified = [fresh, old, other].map((one) =>
          isVerified(one, { headers, rawBody: body }),
        );
        expect(verified).toEqual([true, true, false]);
        expect(isVerified(fresh, { headers, rawBody: `${body} ` })).toBe(false);
      }),
    );
  });
});
