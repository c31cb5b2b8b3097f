/** Themes as stylesheets: only checked values, and readable in every combination. */
import { describe, expect, it } from '@jest/globals';
import { contrastOf } from '../../../src/lib/contrast.js';
import { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { themeCss, themeFile } from '../../../src/web/funnels/theme.js';
import { QUIZ } from './samples.js';

const themeOf = (theme: object) => FunnelDefinition.parse({ ...QUIZ, theme }).theme;

const tokensOf = (css: string): Map<string, string> =>
  new Map(
    [...css.matchAll(/--([\w-]+):([^;}]+)/g)].map(([, name = '', value = '']) => [name, value]),
  );

describe('a theme', () => {
  it('is named by its values, and can be made from its name alone', () => {
    const theme = themeOf({ primaryColor: '#AA3300', fontFamily: 'serif', radius: 0 });
    const file = themeFile(theme);
    expect(file).toBe('theme-aa3300-0f766e-ffffff-1f2937-ffffff-serif-0.css');
    const tokens = tokensOf(themeCss(file) ?? '');
    expect(tokens.get('primary')).toBe('#aa3300');
    expect(tokens.get('r')).toBe('0px');
    expect(tokens.get('font')).toContain('Georgia');
  });

  it.each([
    'theme-aa3300-0f766e-ffffff-1f2937-ffffff-serif-25.css',
    'theme-aa3300-0f766e-ffffff-1f2937-ffffff-comic-8.css',
    'theme-aa3300-0f766e-ffffff-1f2937-serif-8.css',
    'theme-AA3300-0f766e-ffffff-1f2937-ffffff-serif-8.css',
    'theme-aa3300-0f766e-ffffff-1f2937-fffff}-serif-8.css',
    'theme-aa3300-0f766e-ffffff-1f2937-ffffff-constructor-8.css',
    'theme-.css',
    '',
  ])('does not exist for an invalid value: %s', (file) => {
    expect(themeCss(file)).toBeNull();
  });

  it.each([
    {},
    {
      backgroundColor: '#0f172a',
      textColor: '#e2e8f0',
      primaryColor: '#38bdf8',
      buttonTextColor: '#0f172a',
    },
    {
      backgroundColor: '#fff7ed',
      textColor: '#431407',
      primaryColor: '#fde047',
      accentColor: '#fef08a',
    },
    {
      backgroundColor: '#000000',
      textColor: '#ffffff',
      primaryColor: '#111111',
      accentColor: '#222222',
    },
    { backgroundColor: '#808080', textColor: '#000000' },
  ])('has readable links, hints, marks and faults: %j', (given) => {
    const tokens = tokensOf(themeCss(themeFile(themeOf(given))) ?? '');
    const ratio = (one: string, other: string) =>
      contrastOf(tokens.get(one) ?? '', tokens.get(other) ?? '');
    for (const name of ['muted', 'link', 'accent', 'bad'])
      for (const surface of ['bg', 'card'])
        expect([name, surface, ratio(name, surface) >= 4.5]).toEqual([name, surface, true]);
    expect(ratio('edge', 'card')).toBeGreaterThanOrEqual(3);
  });

  it('is dark when its background is dark', () => {
    const schemeOf = (backgroundColor: string) =>
      /color-scheme:(\w+)/.exec(themeCss(themeFile(themeOf({ backgroundColor }))) ?? '')?.[1];
    expect([schemeOf('#ffffff'), schemeOf('#0f172a')]).toEqual(['light', 'dark']);
  });
});
