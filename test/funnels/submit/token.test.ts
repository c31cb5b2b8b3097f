import { describe, expect, it } from '@jest/globals';
import { createFunnelTokens } from '../../../src/funnels/submit/token.js';
import { funnelKeyOf } from '../../../src/platform/security/seal.js';

const HOUR_MS = 3_600_000;
const page = { funnelId: 'fun_1', version: 3, mode: 'live' } as const;

function around(secret = 'a secret of the installation') {
  let at = Date.UTC(2026, 10, 1, 5);
  const tokens = createFunnelTokens({
    key: funnelKeyOf(secret),
    clock: { now: () => new Date(at) },
  });
  return { tokens, pass: (ms: number) => (at += ms) };
}

describe('tokens of pages', () => {
  it('names funnel, version, mode and a nonce of 128 bits that no other page has', () => {
    const { tokens } = around();
    const [first, second] = [tokens.issueToken(page), tokens.issueToken(page)].map((text) =>
      tokens.readToken(text),
    );
    expect(first).toMatchObject({ kind: 'valid', page });
    const nonces = [first, second].map((read) =>
      read && read.kind !== 'invalid' ? read.page.nonce : '',
    );
    expect(new Set(nonces).size).toBe(2);
    expect(Buffer.from(nonces[0] ?? '', 'base64url')).toHaveLength(16);
  });

  it('is valid for 24 hours, and known as expired afterwards', () => {
    const { tokens, pass } = around();
    const text = tokens.issueToken(page);
    pass(24 * HOUR_MS - 1);
    expect(tokens.readToken(text).kind).toBe('valid');
    pass(1);
    expect(tokens.readToken(text)).toMatchObject({ kind: 'expired', page });
  });

  it('is still valid when the clock was set back', () => {
    const { tokens, pass } = around();
    const text = tokens.issueToken(page);
    pass(-2 * HOUR_MS);
    expect(tokens.readToken(text).kind).toBe('valid');
  });

  it('is refused with another signature, another content, another secret or another purpose', () => {
    const { tokens } = around();
    const text = tokens.issueToken(page);
    const [content = '', mac = ''] = text.split('.');
    const other = Buffer.from('["fun_2",3,"n",0,"live"]').toString('base64url');
    const spellings = [
      '',
      '.',
      content,
      `${content}.`,
      `${content}.${mac}.`,
      `${content}.${mac}=`,
      `${content}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}`,
      `${other}.${mac}`,
      'x'.repeat(100_000),
      tokens.issuePreview('fun_1'),
      around('another secret').tokens.issueToken(page),
    ];
    expect(spellings.map((one) => tokens.readToken(one).kind)).toEqual(
      spellings.map(() => 'invalid'),
    );
  });
});

describe('other signed texts', () => {
  it('a preview ends after a week', () => {
    const { tokens, pass } = around();
    const text = tokens.issuePreview('fun_1');
    pass(7 * 24 * HOUR_MS - 1);
    expect(tokens.readPreview(text)).toBe('fun_1');
    pass(1);
    expect(tokens.readPreview(text)).toBeNull();
    expect(tokens.readPreview(tokens.issueToken(page))).toBeNull();
  });

  it('an end names its page for a day', () => {
    const { tokens, pass } = around();
    const end = { ...page, outcome: 'not_qualified:renters' };
    const text = tokens.issueEnd(end);
    expect(tokens.readEnd(text)).toEqual(end);
    pass(24 * HOUR_MS);
    expect(tokens.readEnd(text)).toBeNull();
  });

  it('a page that must wait stays the same page', () => {
    const { tokens, pass } = around();
    const first = tokens.readToken(tokens.issueToken(page));
    if (first.kind !== 'valid') throw new Error('not valid');
    pass(HOUR_MS);
    const until = new Date(Date.UTC(2026, 10, 1, 6, 0, 5));
    const text = tokens.postpone(first.page, until);
    expect(tokens.readToken(text)).toEqual({
      kind: 'valid',
      page: { ...first.page, notBefore: until },
    });
    pass(23 * HOUR_MS);
    expect(tokens.readToken(text).kind).toBe('expired');
  });
});
