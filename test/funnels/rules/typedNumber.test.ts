/** The one reader of numbers that people type into a form. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readNumber } from '../../../src/fields/fieldTypes.js';
import { decimalSeparatorOf, readTypedNumber } from '../../../src/funnels/rules/typedNumber.js';

/** As typed, as a page in English reads it, as one in Spanish does; null: it is refused. */
const TYPED: [typed: string, english: number | null, spanish: number | null][] = [
  ['1500', 1500, 1500],
  [' 1500 ', 1500, 1500],
  ['007', 7, 7],
  ['-0', 0, 0],
  // Which separator begins the fraction.
  ['1,500', 1500, 1.5],
  ['1.500', 1.5, 1500],
  ['12,345', 12_345, 12.345],
  ['0,125', 0.125, 0.125],
  ['0.125', 0.125, 0.125],
  ['150,50', 150.5, 150.5],
  ['150.50', 150.5, 150.5],
  ['150,5', 150.5, 150.5],
  ['.5', 0.5, 0.5],
  [',5', 0.5, 0.5],
  ['150.', 150, 150],
  ['6.3755', 6.3755, null],
  ['6,3755', null, 6.3755],
  ['1234.567', 1234.567, null],
  ['1234,567', null, 1234.567],
  // Two separators.
  ['1,234.56', 1234.56, 1234.56],
  ['1.234,56', 1234.56, 1234.56],
  ['1,234,567', 1_234_567, 1_234_567],
  ['1.234.567', 1_234_567, 1_234_567],
  ['12.345.678,9', 12_345_678.9, 12_345_678.9],
  ['1 234,567', null, 1234.567],
  ['1,23,4', null, null],
  ['1,23,456', null, null],
  ['1.234,567.8', null, null],
  ['1,.5', null, null],
  ['1..5', null, null],
  // Spaces and apostrophes.
  ['1 500', 1500, 1500],
  ['1\u00a0500', 1500, 1500],
  ['1\u202f500,75', 1500.75, 1500.75],
  ["1'500.50", 1500.5, 1500.5],
  ['1’500’000', 1_500_000, 1_500_000],
  ['15 00', null, null],
  ["1'500 000", null, null],
  // Currencies, percent and thousands.
  ['$150', 150, 150],
  ['$ 1,500.00', 1500, 1500],
  ['US$1,500.00', 1500, 1500],
  ['150 USD', 150, 150],
  ['$150 usd', 150, 150],
  ['1.500,00 €', 1500, 1500],
  ['150 dollars', 150, 150],
  ['150 dólares', 150, 150],
  ['15%', 15, 15],
  ['6,5 %', 6.5, 6.5],
  ['1.5k', 1500, 1500],
  ['$1,5 K', 1500, 1500],
  ['250k', 250_000, 250_000],
  ['1.5m', null, null],
  ['5k%', null, null],
  // Signs.
  ['-150', -150, -150],
  ['+150', 150, 150],
  ['\u2212150', -150, -150],
  ['-$150', -150, -150],
  ['$-150', -150, -150],
  ['-$-150', null, null],
  ['--150', null, null],
  ['150-', null, null],
  ['(150)', null, null],
  ['100-200', null, null],
  // Other forms of the same characters.
  ['１５００', 1500, 1500],
  ['＄１，５００．５０', 1500.5, 1500.5],
  ['١٥٠٫٥', 150.5, 150.5],
  ['۱٬۵۰۰٫۵', 1500.5, 1500.5],
  ['\u200e1500\u200f', 1500, 1500],
  ['½', null, null],
  ['5²', null, null],
  // What programs write.
  ['1e5', 100_000, 100_000],
  ['1e999', null, null],
  // No numbers.
  ['', null, null],
  ['$', null, null],
  ['-', null, null],
  ['abc', null, null],
  ['about 1500', null, null],
  ['1500 a month', null, null],
  ['1500/month', null, null],
  ['5x', null, null],
  ['1_500', null, null],
  ['0x1f', null, null],
  ['Infinity', null, null],
  ['9'.repeat(401), null, null],
];

const valueOf = (typed: string, decimal: '.' | ','): number | null => {
  const text = readTypedNumber(typed, decimal);
  return text === null ? null : readNumber(text);
};

describe('a typed number', () => {
  it.each(TYPED)('%s is %s in English, %s in Spanish', (typed, english, spanish) => {
    expect([valueOf(typed, '.'), valueOf(typed, ',')]).toEqual([english, spanish]);
  });

  it('keeps the digits of a long one', () => {
    expect(readTypedNumber('7615917337430043418', '.')).toBe('7615917337430043418');
  });

  it.each(['en-US', 'es', 'es-US', 'fr-FR', 'de-CH', 'pt-BR', 'pl'])(
    'is read back as the language %s writes it, from a thousand on',
    (language) => {
      const decimal = decimalSeparatorOf(language);
      const written = new Intl.NumberFormat(language, { useGrouping: 'always' });
      fc.assert(
        fc.property(fc.integer({ min: -1e9, max: 1e9 }), (hundredths) => {
          const value = hundredths / 100 + 0;
          expect(valueOf(written.format(value), decimal)).toBe(value);
        }),
      );
    },
  );

  it('is a number or none, whatever is typed', () => {
    const part = fc.constantFrom(
      '1',
      '23',
      '456',
      '.',
      ',',
      ' ',
      "'",
      '-',
      '$',
      '%',
      'k',
      'e',
      '€',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), fc.constantFrom('.', ','), (parts, decimal) => {
        const text = readTypedNumber(parts.join(''), decimal);
        if (text === null) return;
        expect(text).toMatch(/^-?[0-9]+(?:\.[0-9]+)?$|e/);
        expect(readNumber(text)).not.toBeNull();
      }),
    );
  });
});

describe('the decimal separator', () => {
  it.each([
    ['en', '.'],
    ['es', ','],
    ['es-US', '.'],
    ['es-MX', '.'],
    ['es-PR', '.'],
    ['es-AR', ','],
    ['fr', ','],
    ['ar', '.'],
    ['ja', '.'],
    ['xx', '.'],
    ['en-a', '.'],
  ])('of %s is "%s"', (language, separator) =>
    expect(decimalSeparatorOf(language)).toBe(separator),
  );
});
