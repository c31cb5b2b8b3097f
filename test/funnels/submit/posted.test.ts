import { describe, expect, it } from '@jest/globals';
import { readPosted } from '../../../src/funnels/submit/posted.js';

const read = (form: [string, string][]) =>
  readPosted(Buffer.from(new URLSearchParams(form).toString()));

describe('the submission of a page', () => {
  it('is read by the names of its inputs, the first of each', () => {
    const posted = read([
      ['t', 'token'],
      ['f.phone', '4155550134'],
      ['f.phone', 'another'],
      ['consent', 'yes'],
      ['website', ''],
      ['w', 'proof'],
      ['p', 'https://host.example/'],
      ['r', 'https://search.example/'],
      ['u.utm_source', 'spring'],
      ['xxTrustedFormCertUrl', 'https://cert.trustedform.com/1'],
      ['universal_leadid', 'J-1'],
    ]);
    expect(posted).toMatchObject({
      token: 'token',
      answers: { 'f.phone': '4155550134' },
      hasConsented: true,
      hasFilledTrap: false,
      proof: 'proof',
      pageUrl: 'https://host.example/',
      referrer: 'https://search.example/',
      sources: { utm_source: 'spring' },
      certificates: {
        trustedform_cert_url: 'https://cert.trustedform.com/1',
        jornaya_leadid: 'J-1',
      },
    });
    // A page that is shown again has its own token.
    for (const own of ['t', 'w', 'website']) expect(posted.values).not.toHaveProperty(own);
  });

  it('takes no longer when one input comes thousands of times', () => {
    const blanks = ` ${' '.repeat(32_000)}`;
    const many = Array.from({ length: 16_000 }, (): [string, string] => ['f.phone', '']);
    const answer: [string, string] = ['f.phone', '4155550134'];
    expect(read([['f.phone', blanks], ...many, answer]).answers).toEqual({
      'f.phone': '4155550134',
    });
    const filledIn: [string, string] = ['f.phone', `${blanks}x`];
    expect(read([filledIn, ...many]).answers).toEqual({ 'f.phone': `${blanks}x` });
  }, 5_000);

  it('may be anything: inherited names, broken texts, far too many inputs', () => {
    const posted = read([
      ['__proto__', 'x'],
      ['f.__proto__', 'x'],
      ['f.constructor', 'x'],
      ['u.utm_source', 'a\u0000b'],
      ['r', ' '],
      ...Array.from({ length: 1_000 }, (_, n): [string, string] => [`f.${n}`, 'x']),
      ['consent', 'yes'],
    ]);
    expect(posted).toMatchObject({ sources: {}, referrer: null, hasConsented: false, token: '' });
    expect(Object.keys(posted.values).length).toBeLessThanOrEqual(300);
    expect(readPosted(Buffer.from([0xff, 0xfe, 0x3d]))).toMatchObject({ token: '' });
  });
});
