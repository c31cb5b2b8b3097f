import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExactJson } from '../../src/lib/exactJson.js';
import { longDigits, lostDigits } from '../../src/lib/longNumbers.js';

describe('a number of JSON', () => {
  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740992',
    '7615917337430043418',
    '-7615917337430043418',
    '9223372036854775807',
    '18446744073709551615',
    // A double keeps the digits of these; ids of one kind stay of one type.
    '10000000000000000',
    '1733000000000000000',
    '1000000000000000000000',
    '9'.repeat(400),
    // Written otherwise, and changed by a double.
    '7615917337430043418.0',
    '7.615917337430043418e18',
    '7615917337430.043418E+6',
    '761591733743004341800e-2',
    '-7615917337430043418.000',
  ])('that is whole and beyond 2^53 is the text of its digits: %s', (digits) => {
    expect(parseExactJson(digits)).toBe(digits);
    expect(parseExactJson(`{"a":{"b":[1, ${digits} ,2]},"c":${digits}}`)).toEqual({
      a: { b: [1, digits, 2] },
      c: digits,
    });
    expect(parseExactJson(`[\n\t${digits}\r\n]`)).toEqual([digits]);
  });

  it.each([
    '9007199254740991',
    '-9007199254740991',
    '1733000000000000',
    '0.1234567890123456789',
    '0.1000000000000000055511151231257827',
    '-73.98765432109876543',
    '12345678901234567.5',
    '1e16',
    '1E3',
    '1e20',
    '1e30',
    '9.007199254740993e2',
    '0.00000000000000000000000000001',
    '5e-324',
    '1.7976931348623157e308',
    '-0',
    '0.0000000000000000',
    '1000000000000000.0000',
    '15551234567',
    '42.5',
  ])('of any other kind is the number that JSON.parse reads: %s', (number) => {
    expect(parseExactJson(`{"a":${number}}`)).toEqual({ a: Number(number) });
    expect(parseExactJson(`[${number},7615917337430043418]`)).toEqual([
      Number(number),
      '7615917337430043418',
    ]);
  });

  it.each(['1e400', '-1e400', '12345678901234567890e400'])(
    'that no double can be stays one for its reader to refuse: %s',
    (number) => {
      expect(Math.abs(parseExactJson(number) as number)).toBe(Infinity);
    },
  );
});

describe('what is no number of JSON stays as it is', () => {
  it.each<[string, unknown]>([
    ['"7615917337430043418"', '7615917337430043418'],
    ['"id: 7615917337430043418"', 'id: 7615917337430043418'],
    ['[",7615917337430043418"]', [',7615917337430043418']],
    ['["\\",7615917337430043418"]', ['",7615917337430043418']],
    ['["\\\\",7615917337430043418]', ['\\', '7615917337430043418']],
    ['["\\\\\\",7615917337430043418"]', ['\\",7615917337430043418']],
    [
      '{"7615917337430043418":7615917337430043418}',
      { '7615917337430043418': '7615917337430043418' },
    ],
    ['{"a":":7615917337430043418,"}', { a: ':7615917337430043418,' }],
    ['["\u2028",7615917337430043418]', ['\u2028', '7615917337430043418']],
    ['[true,false,null,7615917337430043418,""]', [true, false, null, '7615917337430043418', '']],
    ['{}', {}],
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it('keeps a key named __proto__ as one of the object', () => {
    const read = parseExactJson('{"__proto__":7615917337430043418}') as object;
    expect(Object.entries(read)).toEqual([['__proto__', '7615917337430043418']]);
  });

  it('is any value without such numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        const isShort = !/\d{16}/.test(text);
        expect(!isShort || JSON.stringify(parseExactJson(text)) === text).toBe(true);
      }),
    );
  });
});

it.each([
  '',
  '{',
  '[1,]',
  '[7615917337430043418',
  '[01]',
  '[7615917337430043418x]',
  '[1.]',
  "['a']",
  '[+7615917337430043418]',
])('what is no JSON is refused as JSON.parse refuses it: %j', (text) => {
  const messageOf = (parse: (json: string) => unknown): string => {
    try {
      return `no error, but ${JSON.stringify(parse(text))}`;
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
      return (error as Error).message;
    }
  };
  expect(messageOf(parseExactJson)).toBe(messageOf(JSON.parse));
});

it('costs no stack and little time, whatever it reads', () => {
  const id = '7615917337430043418';
  const ofSize = (part: string) =>
    Array<string>(Math.ceil(262_144 / part.length))
      .fill(part)
      .join(',');
  const hostile = [
    `${'['.repeat(100_000)}${id}${']'.repeat(100_000)}`,
    `[${ofSize('1')},${id}]`,
    `[${ofSize(id)}]`,
    `[${ofSize('0.7615917337430043')}]`,
    `["${'\\\\'.repeat(131_072)}",${id}]`,
    `[${' '.repeat(262_144)}${id}]`,
    `[${ofSize(`1${' '.repeat(500)}`)}]`,
    `[${'9'.repeat(262_144)}]`,
  ];
  for (const text of hostile) {
    const from = process.cpuUsage();
    parseExactJson(text);
    const { user, system } = process.cpuUsage(from);
    expect((user + system) / 1_000).toBeLessThan(500);
  }
});

describe('the digits of a number', () => {
  it.each<[string, string | null, string | null]>([
    ['7615917337430043418', '7615917337430043418', '7615917337430043418'],
    ['7615917337430043000', '7615917337430043000', null],
    ['9007199254740992', '9007199254740992', null],
    ['9007199254740993', '9007199254740993', '9007199254740993'],
    ['-009007199254740993', '-9007199254740993', '-9007199254740993'],
    [' +9007199254740993.00 ', '9007199254740993', '9007199254740993'],
    ['9.007199254740993e15', '9007199254740993', '9007199254740993'],
    ['.9007199254740993e16', '9007199254740993', '9007199254740993'],
    ['1e30', `1${'0'.repeat(30)}`, null],
    ['9007199254740991', null, null],
    ['12345678901234567.5', null, null],
    ['1e400', null, null],
    ['0x7fffffffffffffff', null, null],
    ['7615917337430043418n', null, null],
    ['Infinity', null, null],
    ['', null, null],
    ['9'.repeat(401), null, null],
  ])('of %j are %j, of which a double loses %j', (text, long, lost) => {
    expect([longDigits(text), lostDigits(text)]).toEqual([long, lost]);
  });
});
