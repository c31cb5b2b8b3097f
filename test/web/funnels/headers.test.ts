/** What browsers allow pages of funnels to do. */
import { describe, expect, it } from '@jest/globals';
import type { FunnelDefinitionInput } from '../../../src/funnels/rules/definition.js';
import { funnelHeaders } from '../../../src/web/funnels/headers.js';
import { QUIZ, shownOf } from './samples.js';

describe('the headers of a page', () => {
  const headersOf = (input: FunnelDefinitionInput) => funnelHeaders(shownOf(input).definition);
  const policyOf = (input: FunnelDefinitionInput): string =>
    headersOf(input)['content-security-policy'] ?? '';

  it('allow content of this host only, and let no other site frame the page', () => {
    const policy = policyOf(QUIZ);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "worker-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(part);
    expect(policy).not.toMatch(/https:|\*|unsafe|media-src/);
  });

  it('let the sites that the funnel names frame the page, and no other header forbids it', () => {
    const headers = headersOf({
      ...QUIZ,
      embed: { domains: ['shop.example:8443', 'www.shop.example'] },
    });
    expect(headers['content-security-policy']).toContain(
      'frame-ancestors shop.example:8443 www.shop.example',
    );
    expect(headers).not.toHaveProperty('x-frame-options');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('allow the external content that the funnel itself needs', () => {
    const policy = policyOf({
      ...QUIZ,
      redirect_domains: ['thanks.example'],
      certificates: { trusted_form: true },
      blocks: [
        {
          id: 'film',
          type: 'video',
          title: 'Film',
          url: 'https://cdn.example/a.mp4',
          captions_url: 'https://subs.example/a.vtt',
        },
        ...QUIZ.blocks,
      ],
    });
    expect(policy).toContain("form-action 'self' https://thanks.example;");
    expect(policy).toContain('media-src https://cdn.example https://subs.example');
    expect(policy).toMatch(
      /script-src 'self' https:\/\/api\.trustedform\.com https:\/\/cdn\.trustedform\.com;/,
    );
    expect(policy).not.toContain('leadid');
  });
});
