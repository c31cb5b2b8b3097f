import { describe, it, expect } from 'vitest';
import { signBody, signMessage } from '../../../src/platform/security/signatures.js';

describe('signBody', () => {
  it('is the HMAC-SHA256 that any other implementation computes (RFC 4231, case 2)', () => {
    expect(signBody('Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });

  it('takes the text of a hex secret as the key, and signs the UTF-8 bytes of the body', () => {
    expect(signBody('00ff', '{"name":"Zoë"}')).toBe(
      '4f0a750e2d0b338d0ae45a10425a5e6bd074e3bb645dd02985d1289dbdb61a71',
    );
  });
});

describe('signMessage', () => {
  const message = {
    ...{ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330 },
    body: '{"test": 2432232314}',
  };

  it('is what any other implementation of Standard Webhooks computes', () => {
    expect(signMessage(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], message)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });

  it('takes any other text as the key itself, and signs once for each secret', () => {
    const key = Buffer.from('plain').toString('base64');
    const [one, other] = signMessage(['plain', `whsec_${key}`], message).split(' ');
    expect(one).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(other).toBe(one);
  });
});
