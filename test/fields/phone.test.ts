import { describe, expect, it } from '@jest/globals';
import { compileMapping } from '../../src/fields/mapping.js';
import { compileField } from '../../src/fields/fieldReader.js';
import { readPhone } from '../../src/fields/phone.js';
import { aField } from '../support/builders.js';

const PERSON = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' };
const DC = '+12025550134';
const LONDON = '+442079460018';

describe('a phone number', () => {
  const table: [text: string, number: string, extension?: string][] = [
    // A spreadsheet's number.
    ['2025550134.0', DC],
    ['12025550134.0', DC],
    ['+12025550134.00', DC],
    ['442079460018.0', LONDON],
    // An extension behind a whole number.
    ['(202) 555-0134,1234', DC, '1234'],
    ['(202) 555-0134, 12', DC, '12'],
    ['2025550134/12', DC, '12'],
    ['202-555-0134x12', DC, '12'],
    ['202-555-0134 X. 12', DC, '12'],
    ['202.555.0134 ext 12', DC, '12'],
    ['202 555 0134, Ext.: 12', DC, '12'],
    ['2025550134 extn 012', DC, '012'],
    ['2025550134 EXTENSION 123456789', DC, '123456789'],
    ['+1-202-555-0134;ext=99', DC, '99'],
    ['(202) 555-0134 # 7', DC, '7'],
    ['2025550134,,55', DC, '55'],
    ['2025550134.0 x5', DC, '5'],
    ['+44 20 7946 0018/19', LONDON, '19'],
    ['0044 (0)20 7946 0018 ext 3', LONDON, '3'],
    // The same signs within a number only group its digits.
    ['202,555,0134', DC],
    ['202/555/0134', DC],
    ['2025550134,', DC],
    ['+49 6221/123456', '+496221123456'],
    ['+49 6221 1234-567', '+4962211234567'],
    // What is dialed for a plus.
    ['0044 20 7946 0018', LONDON],
    ['011 44 20 7946 0018', LONDON],
    ['(011) 44-20-7946-0018', LONDON],
    ['+0044 20 7946 0018', LONDON],
    ['+011 44 20 7946 0018', LONDON],
    ['001 202 555 0134', DC],
    ['00 45 12 34 56 78', '+4512345678'],
    ['0114 496 0018', '+01144960018'],
    ['0012345678', '+10012345678'],
    // The zero that is dialed within a country alone.
    ['+44 (0)20 7946 0018', LONDON],
    ['+44(0)2079460018', LONDON],
    ['+(44) ( 0 ) 20 7946 0018', LONDON],
    ['44 (0)20 7946 0018', LONDON],
    ['0044 (0) 20-7946-0018', LONDON],
    ['45 (0)12345678', '+4512345678'],
    ['(0)20 7946 0018', '+02079460018'],
    // Copied with what nobody sees, or typed with a sign of another keyboard.
    ['\ufeff2025550134\ufe0f', DC],
    ['\u202d(202)\u00a0555\u20110134\u202c', DC],
    ['202\u00ad555\u200b0134\u3164', DC],
    ['\u200e+1\u202f202\u2009555\u22120134\u200f', DC],
    ['202\u30005550134', DC],
  ];
  it.each(table)('is read from %j as %j, extension %j', (text, number, extension) => {
    expect(readPhone(text)).toEqual({ number, ...(extension === undefined ? {} : { extension }) });
  });

  const refused = [
    // A number with decimals, or in the notation of a spreadsheet.
    '2025550134.5',
    '202.555.0134.0',
    '2.025550134E+9',
    // Neither a group nor an extension.
    '(202) 555-0134 1234',
    '202-555-0134-12',
    '+1 202 555 0134 99',
    '001 202 555 0134 99',
    '1 2025550134 5',
    '2025550134 x',
    '2025550134 ext. 1234567890',
    '2025550134 x12 x13',
    '2025550134,12,34',
    '2025550134 p12',
    '2025550134;12',
    '2025550134 (home)',
    '2025550134 fax 12',
    '555-0134 x12',
    // Two numbers.
    '2025550134/2025550199',
    '2025550134, 2025550199',
    '(202) 555-0134 / 555-0199',
    // Not the digits of a phone.
    '202-555-CALL',
    'tel:+1-202-555-0134',
    '++12025550134',
    '+ +12025550134',
    "'+12025550134",
    '２０２５５５０１３４',
    '٢٠٢٥٥٥٠١٣٤',
    '*672025550134',
    '(000) 00',
  ];
  it.each(refused)('is not read from %j', (text) => {
    expect(readPhone(text)).toBeNull();
  });
});

describe('the extension of a phone', () => {
  const mobile = aField({ name: 'mobile', type: 'Phone' });
  const read = compileMapping([mobile]);

  it('is kept beside the fields, for each field of a phone', () => {
    expect(read({ ...PERSON, phone: '202-555-0134 x12', mobile: '2025550199/7' })).toEqual({
      ok: true,
      fields: { ...PERSON, phone: DC, mobile: '+12025550199' },
      extra: { phone_ext: '12', mobile_ext: '7' },
    });
  });

  it('does not replace one that was sent', () => {
    expect(read({ ...PERSON, phone: '202-555-0134 x12', phone_ext: '99' })).toMatchObject({
      extra: { phone_ext: '99' },
    });
  });

  it.each([
    [['digits'], 'Phone'],
    [['trim', 'phone_e164'], 'Phone'],
    [['phone_e164'], 'String'],
  ] as const)('is no part of the number after %j on a %s', (transforms, type) => {
    const field = compileField(aField({ type, transforms: [...transforms] }));
    expect(field('202-555-0134 x12')).toEqual({ kind: 'value', value: DC, extension: '12' });
    expect(field('2025550134.0')).toEqual({ kind: 'value', value: DC });
  });

  it('is not a reason to accept a number that does not exist', () => {
    const strict = compileField(aField({ type: 'Phone', strict: true }), {
      isValidPhone: (number) => number === DC,
    });
    expect(strict('2025550134.0')).toEqual({ kind: 'value', value: DC });
    expect(strict('5551234567 x12')).toMatchObject({ code: 'invalid_format' });
  });
});
