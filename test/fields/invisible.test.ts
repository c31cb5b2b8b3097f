import { describe, expect, it } from '@jest/globals';
import { checkFilters } from '../../src/fields/checkFilters.js';
import { compileMapping } from '../../src/fields/mapping.js';
import { readOutcomeBody } from '../../src/outcomes/rules/outcomeBody.js';
import { readCriteria } from '../../src/ingest/lookup/criteria.js';
import { aField } from '../support/builders.js';

const CAMPAIGN = '0b9f3f6e-3f0b-4a53-9c4b-0d2a4b0c9a11';
/** One of each kind of code point that is there and is not seen. */
const MARKS: [name: string, mark: string][] = [
  ['soft hyphen', '\u00ad'],
  ['combining grapheme joiner', '\u034f'],
  ['Arabic letter mark', '\u061c'],
  ['Hangul filler', '\u115f'],
  ['Khmer inherent vowel', '\u17b4'],
  ['Mongolian variation selector', '\u180b'],
  ['zero-width space', '\u200b'],
  ['zero-width joiner', '\u200d'],
  ['right-to-left mark', '\u200f'],
  ['right-to-left override', '\u202e'],
  ['word joiner', '\u2060'],
  ['invisible times', '\u2062'],
  ['isolate', '\u2068'],
  ['deprecated format character', '\u206a'],
  ['Hangul filler of full width', '\u3164'],
  ['variation selector 16', '\ufe0f'],
  ['byte order mark', '\ufeff'],
  ['half-width Hangul filler', '\uffa0'],
  ['reserved special', '\ufff0'],
  ['musical format', '\u{1d173}'],
  ['language tag', '\u{e0001}'],
  ['variation selector 256', '\u{e01ef}'],
];

describe.each(MARKS)('an invisible character (%s)', (_, mark) => {
  const within = (text: string) => `${mark}${text.slice(0, 2)}${mark}${text.slice(2)}${mark}`;

  it('is no part of a value, mapped or not', () => {
    const read = compileMapping([
      aField({ name: 'state', type: 'State' }),
      aField({ name: 'zip_code', type: 'Zip / Postal Code' }),
      aField({ name: 'age', type: 'Number' }),
      aField({ name: 'owner', type: 'Boolean' }),
      aField({ name: 'born', type: 'Date' }),
      aField({ name: 'case_type', type: 'List of Allowed Values', allowed_values: ['Auto'] }),
    ]);
    const lead = {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: '+12025550134',
      state: 'TX',
      zip_code: '75001',
      age: '42',
      owner: 'yes',
      born: '2001-02-03',
      case_type: 'auto',
      note: 'as it is seen',
    };
    const sent = Object.fromEntries(
      Object.entries(lead).map(([name, value]) => [name, within(value)]),
    );
    const { note, ...fields } = { ...lead, age: 42, owner: true, case_type: 'Auto' };
    expect(read({ ...sent, nothing: mark })).toEqual({ ok: true, fields, extra: { note } });
  });

  it('alone is no value', () => {
    const sent = { first_name: mark, last_name: ` ${mark} `, email: mark, phone: mark + mark };
    expect(compileMapping([])(sent)).toMatchObject({
      ok: false,
      errors: ['first_name', 'last_name', 'email', 'phone'].map((field) => ({
        field,
        code: 'required',
      })),
    });
  });

  it('is no part of a postback, a lookup or a filter', () => {
    const lead_id = CAMPAIGN;
    const body = { lead_id: within(lead_id), outcome: within('converted'), note: within('sold') };
    expect(readOutcomeBody(body, false)).toMatchObject({
      body: { meant: { lead_id }, report: { outcome: 'converted', note: 'sold' } },
    });
    const query = new URLSearchParams({
      campaign_id: within(CAMPAIGN),
      email: within('ada@example.com'),
      phone: mark,
    });
    expect(readCriteria(query)).toMatchObject({ campaign_id: CAMPAIGN });
    const rules = checkFilters(
      [{ field: 'note', operator: '==', value: within('hot') }],
      [aField({ name: 'note' })],
    );
    expect(rules).toMatchObject({ ok: true });
    expect(JSON.stringify(rules)).toContain('"hot"');
  });
});
