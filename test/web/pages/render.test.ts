import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { pathWith, returnPath } from '../../../src/web/server/pages/returnPath.js';
import { attributes, template } from '../../../src/web/render/template.js';
import { STYLE } from '../../../src/web/server/pages/style.css.js';

describe('a template', () => {
  const show = template<{ name: unknown }>('<p title="<%= it.name %>"><%= it.name %></p>');

  it('escapes values, in text and in attributes', () => {
    const { html } = show({ name: `<img src=x onerror="alert('1')">&` });
    expect(html).not.toMatch(/<img|onerror="/);
    expect(
      html.match(/&#60;img src=x onerror=&#34;alert\(&#39;1&#39;\)&#34;&#62;&#38;/g),
    ).toHaveLength(2);
  });

  it('inserts the output of another template, alone and in lists', () => {
    const inner = template<{ text: string }>('<b><%= it.text %></b>');
    const outer = template<{ parts: unknown }>('<%= it.parts %>');
    expect(outer({ parts: [inner({ text: '<' }), '<'] }).html).toBe('<b>&#60;</b>&#60;');
  });

  it('does not run code in a value', () => {
    expect(show({ name: '<%= process.exit(1) %>' }).html).toContain(
      '&#60;%= process.exit(1) %&#62;',
    );
  });

  it('leaves out attributes without a value', () => {
    const { html } = attributes({ a: undefined, b: false, c: true, d: '"', e: '' });
    expect(html).toBe(' c d="&#34;" e=""');
  });
});

describe('the page to return to', () => {
  it.each(['/choose', '/portal/mem_1/leads?status=sold&x=%2F%2Fa', '/a/b.c~d'])(
    'may be %s',
    (path) => {
      expect(returnPath(path)).toBe(path);
    },
  );

  it.each([
    '',
    'choose',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example/',
    '/x/..//evil.example',
    'javascript:alert(1)',
    '/a b',
    null,
  ])('is never %j', (path) => {
    expect(returnPath(path)).toBeNull();
  });

  it('is never longer than 2,000 characters', () => {
    expect(returnPath(`/${'a'.repeat(2_000)}`)).toBeNull();
  });

  it('is written into an address as a whole', () => {
    expect(pathWith('/sign-in', { next: '/a?b=1&c', done: null })).toBe(
      '/sign-in?next=%2Fa%3Fb%3D1%26c',
    );
    expect(pathWith('/sign-in', { next: null })).toBe('/sign-in');
  });
});

describe('the stylesheet', () => {
  /** Values of custom properties, those of the light theme first. */
  const tokensOf = (css: string): Map<string, string[]> => {
    const found = new Map<string, string[]>();
    for (const [, name = '', value = ''] of css.matchAll(/(--[\w-]+):\s*([^;]+);/g)) {
      found.set(name, [...(found.get(name) ?? []), value]);
    }
    return found;
  };

  it('has the tokens of the app', () => {
    const app = tokensOf(readFileSync('src/web/app/ui/tokens.css', 'utf8'));
    const own = tokensOf(STYLE);
    expect(own.size).toBeGreaterThan(10);
    for (const [name, values] of own) expect([name, values]).toEqual([name, app.get(name)]);
  });

  it('refers to nothing on another site', () => {
    expect(STYLE).not.toMatch(/url\(|@import|https?:/);
  });
});
