import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { fit, pad, textWidth } from '../../../cli/output/width.js';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['🙂', 2],
    ['👨‍👩‍👧', 2],
    ['👍🏽', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['│├─▏█…–', 7],
    ['\u001b[32mgreen\u001b[39m', 5],
  ])('of %j is %i', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });
});

describe('a text that is cut', () => {
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abcde…'],
    ['日本語', 5, '日本…'],
    ['a👨‍👩‍👧b', 4, 'a👨‍👩‍👧b'],
    ['a👨‍👩‍👧bc', 3, 'a…'],
  ])('%j to %i columns is %j', (text, width, cut) => {
    expect(fit(text, width)).toBe(cut);
  });

  it('fills its columns to the last but one, and with blanks to the last', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '日', '👨‍👩‍👧', 'e\u0301', '\u200d', '🇩🇪', ' '),
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (given, width) => {
        const cut = fit(given, width);
        expect(textWidth(cut)).toBeLessThanOrEqual(width);
        if (cut !== given) expect(textWidth(cut)).toBeGreaterThanOrEqual(width - 1);
        expect(textWidth(pad(cut, width))).toBe(width);
        expect(textWidth(pad(cut, width, 'right'))).toBe(width);
      }),
    );
  });
});
