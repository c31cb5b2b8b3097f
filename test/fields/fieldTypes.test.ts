import { describe, expect, it } from '@jest/globals';
import { compileField } from '../../src/fields/fieldReader.js';
import type { FieldType } from '../../src/fields/fieldRule.js';
import type { Scalar } from '../../src/fields/values.js';
import type { FieldErrorCode } from '../../src/lib/errors.js';
import { aField } from '../support/builders.js';

const allowed_values = ['Auto', 'Slip and Fall', '1'];
const read = (type: FieldType, raw: unknown) =>
  compileField(aField({ type, ...(type === 'List of Allowed Values' ? { allowed_values } : {}) }))(
    raw,
  );

describe('a value that fits its type', () => {
  const table: [FieldType, unknown, Scalar][] = [
    ['String', 'Auto', 'Auto'],
    ['String', 12.5, '12.5'],
    ['String', false, 'false'],
    ['Number', 12.5, 12.5],
    ['Number', 0, 0],
    ['Number', -0, 0],
    ['Number', '-12.5', -12.5],
    ['Number', ' +7 ', 7],
    ['Number', '.5', 0.5],
    ['Number', '1e3', 1000],
    ['Number', 2 ** 53, 9007199254740992],
    ['Number', '9007199254740991', 9007199254740991],
    ['Number', '9007199254740992', 9007199254740992],
    ['Number', '9007199254740993', '9007199254740993'],
    ['Number', '-9007199254740993', '-9007199254740993'],
    ['Number', ' +0076e0 ', 76],
    ['Number', '+007615917337430043418', '7615917337430043418'],
    ['Number', '7615917337430043418.0', '7615917337430043418'],
    ['Number', '7.615917337430043418e18', '7615917337430043418'],
    ['Number', '1733000000000000000', 1733000000000000000],
    ['Number', '1e30', 1e30],
    ['Number', '1000000000000000000000000000000', 1e30],
    ['Number', '12345678901234567.5', 12345678901234568],
    ['Number', '0.12345678901234567890', 0.12345678901234568],
    ['String', '7615917337430043418', '7615917337430043418'],
    ['Phone', '+415555013400000', '+415555013400000'],
    ['Boolean', true, true],
    ['Boolean', false, false],
    ['Boolean', 'TRUE', true],
    ['Boolean', 'No', false],
    ['Boolean', 'yes', true],
    ['Boolean', '0', false],
    ['Boolean', 1, true],
    ['Phone', '(555) 123-4567', '+15551234567'],
    ['Phone', 5551234567, '+15551234567'],
    ['Email', 'ADA@example.com', 'ada@example.com'],
    ['Date', '11/21/2026', '2026-11-21'],
    ['State', 'tx', 'TX'],
    ['Zip / Postal Code', '75001-1234', '75001'],
    ['Zip / Postal Code', 75001, '75001'],
    ['URL', ' https://cert.example/abc?x=1 ', 'https://cert.example/abc?x=1'],
    ['List of Allowed Values', 'slip AND fall', 'Slip and Fall'],
    ['List of Allowed Values', 1, '1'],
  ];
  it.each(table)('%s reads %j as %j', (type, raw, value) => {
    expect(read(type, raw)).toEqual({ kind: 'value', value });
  });
});

describe('a value that does not fit its type', () => {
  const table: [FieldType, unknown, FieldErrorCode, string][] = [
    ['Number', 'abc', 'invalid_format', 'case_type must be a number'],
    ['Number', '0x10', 'invalid_format', 'case_type must be a number'],
    ['Number', '1,000', 'invalid_format', 'case_type must be a number'],
    ['Number', 'Infinity', 'invalid_format', 'case_type must be a number'],
    ['Number', '1e999', 'invalid_format', 'case_type must be a number'],
    ['Number', '１２', 'invalid_format', 'case_type must be a number'],
    ['Number', Infinity, 'out_of_range', 'case_type must be a number that can be represented'],
    ['Number', true, 'invalid_type', 'case_type must be a number'],
    ['Number', '7615917337430043418x', 'invalid_format', 'case_type must be a number'],
    ['Number', '9'.repeat(401), 'invalid_format', 'case_type must be a number'],
    ['Boolean', '7615917337430043418', 'invalid_format', 'case_type must be true or false'],
    ['Phone', '7615917337430043418', 'invalid_format', 'case_type must be 10-15 digits'],
    [
      'Zip / Postal Code',
      '7615917337430043418',
      'invalid_format',
      'case_type must be a five-digit zip code',
    ],
    ['Boolean', 'maybe', 'invalid_format', 'case_type must be true or false'],
    ['Boolean', 2, 'invalid_format', 'case_type must be true or false'],
    ['Phone', '555', 'invalid_format', 'case_type must be 10-15 digits'],
    ['Phone', 5551234567.5, 'invalid_format', 'case_type must be 10-15 digits'],
    ['Phone', -5551234567, 'invalid_format', 'case_type must be 10-15 digits'],
    ['State', [], 'invalid_type', 'case_type must be a two-letter US state code'],
    ['Phone', true, 'invalid_type', 'case_type must be 10-15 digits'],
    [
      'Email',
      'ada',
      'invalid_format',
      'case_type must be an email address such as name@example.com',
    ],
    ['Date', '2026-02-30', 'invalid_format', 'case_type must be a date, YYYY-MM-DD or MM/DD/YYYY'],
    ['State', 'Texas', 'invalid_format', 'case_type must be a two-letter US state code'],
    ['Zip / Postal Code', '7500', 'invalid_format', 'case_type must be a five-digit zip code'],
    [
      'URL',
      'javascript:alert(1)',
      'invalid_format',
      'case_type must be a web address that starts with http:// or https://',
    ],
    [
      'URL',
      'https://a b.example',
      'invalid_format',
      'case_type must be a web address that starts with http:// or https://',
    ],
    [
      'URL',
      'ht\ntps://a.example',
      'invalid_format',
      'case_type must be a web address that starts with http:// or https://',
    ],
    [
      'List of Allowed Values',
      'Boat',
      'not_allowed',
      'case_type must be one of: Auto, Slip and Fall, 1',
    ],
    ['String', { $gt: '' }, 'invalid_type', 'case_type must be text, a number, true or false'],
    ['String', ['a'], 'invalid_type', 'case_type must be text, a number, true or false'],
    [
      'String',
      'a\u0000b',
      'invalid_format',
      'case_type must be text without NUL or broken characters',
    ],
    [
      'String',
      'a\ud800b',
      'invalid_format',
      'case_type must be text without NUL or broken characters',
    ],
  ];
  it.each(table)('%s refuses %j as %s', (type, raw, code, message) => {
    expect(read(type, raw)).toEqual({ kind: 'error', code, message });
  });
});

describe('the further rules of a field', () => {
  it.each([null, undefined, '', '  \t\n', '\u00a0\u200b'])('counts %j as absent', (raw) => {
    expect(read('Number', raw)).toEqual({ kind: 'absent' });
  });

  it('limits text to 1,000 characters when its rule says nothing', () => {
    expect(read('String', 'x'.repeat(1_000))).toMatchObject({ kind: 'value' });
    expect(read('String', 'x'.repeat(1_001))).toEqual({
      kind: 'error',
      code: 'too_long',
      message: 'case_type must be at most 1000 characters',
    });
  });

  it('accepts text of exactly the limit and refuses one character more', () => {
    const field = compileField(aField({ max_length: 3 }));
    expect(field('abc')).toEqual({ kind: 'value', value: 'abc' });
    expect(field('abcd')).toMatchObject({
      code: 'too_long',
      message: 'case_type must be at most 3 characters',
    });
  });

  it('reports the limit of the field also for text far beyond it', () => {
    expect(compileField(aField({ max_length: 3 }))('x'.repeat(200_000))).toMatchObject({
      code: 'too_long',
      message: 'case_type must be at most 3 characters',
    });
  });

  it('accepts more than 1,000 characters when the rule of the field says so', () => {
    const text = 'x'.repeat(5_000);
    expect(compileField(aField({ max_length: 5_000 }))(text)).toEqual({
      kind: 'value',
      value: text,
    });
  });

  it.each([
    [{ min: 1, max: 5 }, 0, 'must be at least 1 and at most 5'],
    [{ min: 1, max: 5 }, 6, 'must be at least 1 and at most 5'],
    [{ min: 1 }, '0.99', 'must be at least 1'],
    [{ max: 5 }, 5.01, 'must be at most 5'],
    [{ max: 5 }, '7615917337430043418', 'must be at most 5'],
    [{ min: 5 }, '-7615917337430043418', 'must be at least 5'],
  ])('refuses a number outside %j: %j', (bounds, raw, problem) => {
    expect(compileField(aField({ type: 'Number', ...bounds }))(raw)).toEqual({
      kind: 'error',
      code: 'out_of_range',
      message: `case_type ${problem}`,
    });
  });

  it.each([1, 5])('includes the bound %d', (value) => {
    const field = compileField(aField({ type: 'Number', min: 1, max: 5 }));
    expect(field(value)).toEqual({ kind: 'value', value });
  });

  it('keeps a number a number where allowed values are given', () => {
    const field = compileField(aField({ type: 'Number', allowed_values: ['1', '2.50'] }));
    expect(field('2.5')).toEqual({ kind: 'value', value: 2.5 });
    expect(field(3)).toMatchObject({ code: 'not_allowed' });
  });

  it.each<[FieldType, string, string, string]>([
    ['Phone', '5551234567', '(555) 123-4567', '+15551234567'],
    ['Email', 'Jane@Example.com', 'JANE@example.com', 'jane@example.com'],
    ['Date', '12/31/2026', '2026-12-31', '2026-12-31'],
    ['State', 'tx', 'TX', 'TX'],
    ['Zip / Postal Code', '75001-1234', '75001', '75001'],
    ['Boolean', 'yes', 'true', 'true'],
    ['String', 'Slip and Fall', 'slip and fall', 'Slip and Fall'],
  ])('of the type %s normalizes the allowed value %j: %j is %j', (type, allowed, raw, value) => {
    const read = compileField(aField({ type, allowed_values: [allowed] }))(raw);
    expect(read.kind === 'value' && String(read.value)).toBe(value);
  });

  it('matches a pattern on the normalized value where allowed values are given', () => {
    const field = compileField(
      aField({ type: 'Phone', allowed_values: ['5551234567'], pattern: '^\\+1555' }),
    );
    expect(field('(555) 123-4567')).toEqual({ kind: 'value', value: '+15551234567' });
  });

  it('finds a pattern anywhere in the value unless it is anchored', () => {
    expect(compileField(aField({ pattern: '[0-9]{2}' }))('ab12cd')).toMatchObject({
      kind: 'value',
    });
    expect(compileField(aField({ pattern: '^[0-9]{2}$' }))('ab12cd')).toEqual({
      kind: 'error',
      code: 'invalid_format',
      message: 'case_type must match the pattern ^[0-9]{2}$',
    });
  });

  it('matches a pattern on the normalized value', () => {
    const field = compileField(aField({ type: 'Phone', pattern: '^\\+1555' }));
    expect(field('(555) 123-4567')).toEqual({ kind: 'value', value: '+15551234567' });
    expect(field('(444) 123-4567')).toMatchObject({ code: 'invalid_format' });
  });

  it.each(['^(a+)+$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$', '(.*)*b'])(
    'is not stalled by %s',
    (pattern) => {
      const field = compileField(aField({ pattern, max_length: 10_000 }));
      const start = performance.now();
      field(`${'a'.repeat(9_998)}!`);
      field(`${'x'.repeat(9_998)}!`);
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );

  it('names a field by its label', () => {
    const field = compileField(aField({ name: 'phone', label: 'Phone', type: 'Phone' }));
    expect(field('5')).toMatchObject({ message: 'Phone must be 10-15 digits' });
  });
});
