import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { readOutcomeBody } from '../../../src/outcomes/rules/outcomeBody.js';

const LEAD = '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10';
const meant = { lead_id: LEAD };

const read = (body: Record<string, unknown>, isForm = false) => {
  const reading = readOutcomeBody(body, isForm);
  if (!reading.ok) throw new Error(JSON.stringify(reading.errors));
  return reading.body;
};
/** Field and code of each fault. */
const faults = (body: Record<string, unknown>, isForm = false): [string, string][] => {
  const reading = readOutcomeBody(body, isForm);
  return reading.ok ? [] : reading.errors.map(({ field, code }) => [field, code]);
};

describe('the body of a postback', () => {
  it('is read with money in micro-units', () => {
    const body = {
      ...meant,
      outcome: 'converted',
      conversion_revenue: 120.5,
      lead_value: 0,
      note: ' ok ',
      idempotency_key: 'k1',
    };
    expect(read(body)).toEqual({
      report: { outcome: 'converted', conversion_revenue: 120_500_000, lead_value: 0, note: 'ok' },
      meant,
      idempotency_key: 'k1',
    });
  });

  it('reads revenue as conversion_revenue, and refuses two that differ', () => {
    expect(read({ ...meant, revenue: 5 }).report).toEqual({ conversion_revenue: 5_000_000 });
    expect(read({ ...meant, revenue: 5, conversion_revenue: 5 }).report).toEqual({
      conversion_revenue: 5_000_000,
    });
    expect(faults({ ...meant, revenue: 5, conversion_revenue: 6 })).toEqual([
      ['revenue', 'not_allowed'],
    ]);
  });

  it('reads the outcomes exactly as they are spelled, and no others', () => {
    for (const outcome of ['pending', 'converted', 'not_qualified'])
      expect(read({ ...meant, outcome }).report).toEqual({ outcome });
    const misspelt = ['Converted', 'CONVERTED', ' converted', 'converted ', 'not qualified'];
    for (const outcome of [...misspelt, '', ' ', 'sold', 'expired', 'constructor', 1, true])
      expect(faults({ ...meant, outcome })).toEqual([['outcome', 'not_allowed']]);
    expect(faults({ ...meant, outcome: ['converted'] })).toEqual([['outcome', 'invalid_type']]);
  });

  it.each([{}, { outcome: null }, { note: '  ', revenue: null }, { status: 'converted' }])(
    'must have something to update: %j has nothing',
    (said) => {
      expect(faults({ ...meant, ...said })).toEqual([['outcome', 'required']]);
    },
  );

  it.each([
    [-0.01, 'out_of_range'],
    [1.00001, 'out_of_range'],
    [1_000_000_000.5, 'out_of_range'],
    [Infinity, 'out_of_range'],
    ['12.5', 'invalid_type'],
    // As JSON of 7615917337430043418 is read.
    ['7615917337430043418', 'out_of_range'],
    [true, 'invalid_type'],
    [{}, 'invalid_type'],
  ])('refuses the money %j', (amount, code) => {
    for (const name of ['conversion_revenue', 'revenue', 'lead_value'])
      expect(faults({ ...meant, [name]: amount })).toEqual([[name, code]]);
  });

  it('reads decimal text as money only in a form', () => {
    expect(read({ ...meant, lead_value: ' 12.50 ' }, true).report).toEqual({
      lead_value: 12_500_000,
    });
    for (const text of ['1e3', '0x10', 'NaN', 'Infinity', '1,000', '$5', '--1'])
      expect(faults({ ...meant, lead_value: text }, true)).toEqual([
        ['lead_value', 'invalid_type'],
      ]);
    expect(faults({ ...meant, lead_value: '-1' }, true)).toEqual([['lead_value', 'out_of_range']]);
  });

  it('limits the note and the key, whose characters must be text', () => {
    expect(faults({ ...meant, note: 'n'.repeat(2_001) })).toEqual([['note', 'too_long']]);
    expect(read({ ...meant, note: 'n'.repeat(2_000) }).report.note).toHaveLength(2_000);
    expect(faults({ ...meant, note: 'a\0b' })).toEqual([['note', 'invalid_format']]);
    expect(faults({ ...meant, note: true })).toEqual([['note', 'invalid_type']]);
    const long = { ...meant, outcome: 'pending', idempotency_key: 'k'.repeat(256) };
    expect(faults(long)).toEqual([['idempotency_key', 'too_long']]);
    expect(read({ ...long, idempotency_key: '' }).idempotency_key).toBeUndefined();
  });
});

describe('the lead that a postback names', () => {
  const outcome = 'pending';
  const campaign_id = 'c';

  it('is named by its id, with the campaign or without', () => {
    expect(read({ outcome, lead_id: LEAD }).meant).toEqual({ lead_id: LEAD });
    expect(read({ outcome, lead_id: LEAD, campaign_id }).meant).toEqual({
      lead_id: LEAD,
      campaign_id,
    });
  });

  it.each(['phone', 'email', 'click_id'])('is named by its %s within a campaign', (field) => {
    expect(read({ outcome, [field]: 'x', campaign_id }).meant).toEqual({
      field,
      value: 'x',
      campaign_id,
      named: { field, value: field },
    });
    expect(faults({ outcome, [field]: 'x' })).toEqual([['campaign_id', 'required']]);
  });

  it('is named by any field and its value', () => {
    const body = { outcome, match_field: 'age', match_value: 40, campaign_id };
    expect(read(body).meant).toEqual({
      field: 'age',
      value: 40,
      campaign_id,
      named: { field: 'match_field', value: 'match_value' },
    });
    expect(faults({ outcome, match_field: 'age', campaign_id })).toEqual([
      ['match_value', 'required'],
    ]);
    expect(faults({ outcome, match_value: 4, campaign_id })).toEqual([['match_field', 'required']]);
  });

  it('must be named, and once', () => {
    expect(faults({ outcome })).toEqual([['lead_id', 'required']]);
    expect(faults({ outcome, campaign_id })).toEqual([['lead_id', 'required']]);
    expect(faults({ outcome, lead_id: LEAD, phone: '5551234567', email: 'a@b.co' })).toEqual([
      ['phone', 'not_allowed'],
      ['email', 'not_allowed'],
    ]);
    const both = { outcome, click_id: '1', match_field: 'age', match_value: 1, campaign_id };
    expect(faults(both)).toEqual([['match_field', 'not_allowed']]);
  });

  it('is named by scalars', () => {
    for (const wrong of [[], {}, ['x']])
      for (const field of ['lead_id', 'phone', 'email', 'click_id'])
        expect(faults({ outcome, [field]: wrong, campaign_id })).toEqual([[field, 'invalid_type']]);
  });
});

describe('any postback', () => {
  const names = [
    'outcome',
    'conversion_revenue',
    'revenue',
    'lead_value',
    'note',
    'idempotency_key',
    'lead_id',
    'campaign_id',
    'phone',
    'email',
    'click_id',
    'match_field',
    'match_value',
  ] as const;
  const value = fc.oneof(
    fc.constantFrom<unknown>('pending', 'CONVERTED', LEAD, '', null, 12.5, '12.5', true),
    fc.jsonValue(),
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.double(),
  );
  const body = fc.dictionary(fc.constantFrom(...names, '__proto__', 'other'), value, {
    noNullPrototype: false,
  });

  it('is read or refused with reasons, and a read body obeys every rule', () => {
    fc.assert(
      fc.property(body, fc.boolean(), (given, isForm) => {
        const reading = readOutcomeBody(given, isForm);
        if (!reading.ok) {
          expect(reading.errors.length).toBeGreaterThan(0);
          for (const { field, message } of reading.errors) expect(message).toContain(field);
          return;
        }
        const { report: said, meant: lead, idempotency_key: key = 'k' } = reading.body;
        expect(Object.keys(said).length).toBeGreaterThan(0);
        expect(key.length).toBeLessThanOrEqual(255);
        expect((said.note ?? 'n').length).toBeLessThanOrEqual(2_000);
        for (const amount of [said.conversion_revenue ?? 0, said.lead_value ?? 0]) {
          expect(amount % 100).toBe(0);
          expect(amount).toBeGreaterThanOrEqual(0);
          expect(amount).toBeLessThanOrEqual(1e15);
        }
        if (!('lead_id' in lead)) expect(lead.campaign_id).not.toBe('');
      }),
    );
  });

  it('means the same whatever else is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (extra, name) => {
        fc.pre(!names.some((one) => one === name));
        const plain = { ...meant, outcome: 'converted', revenue: 3 };
        expect(read({ [name]: extra, ...plain })).toEqual(read(plain));
      }),
    );
  });
});
