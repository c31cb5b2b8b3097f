import { describe, expect, it } from '@jest/globals';
import { sourceOf } from '../../../src/funnels/rules/sources.js';

describe('the source of a visit in the counts', () => {
  it.each([
    [{ utm_source: ' Spring-Mail ' }, 'spring-mail'],
    [{ utm_source: '', referrer: 'https://www.search.example/?q=solar' }, 'search.example'],
    [{ referrer: 'https://leads.example/f/solar' }, 'direct'],
    [{ referrer: 'nothing that is an address' }, 'direct'],
    [{}, 'direct'],
    [{ utm_source: 'jane.doe@example.com' }, 'other'],
    [{ utm_source: 'jane%40example.com' }, 'other'],
    [{ utm_source: 'caller 4155550134' }, 'other'],
    [{ utm_source: 'a\u0000b' }, 'other'],
    [{ utm_source: 'ü'.repeat(100) }, 'ü'.repeat(60)],
  ])('of %j is %s', (given, source) => {
    expect(sourceOf(given, 'leads.example')).toBe(source);
  });
});
