import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { evaluateFilters, type FilterGroup } from '../../src/fields/filters.js';
import { checkFieldRules, compileMapping, SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { samplesOfPattern } from '../../src/fields/patternSample.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { sampleLead } from '../../src/fields/sampleLead.js';
import { rulesOfBuyer, rulesToPass } from '../../src/fields/sampleRules.js';
import { FIELD_TYPE_NAMES, TRANSFORM_NAMES } from '../../src/fields/fieldRule.js';
import { aField } from '../support/builders.js';

const context = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'UTC' };
const NONE = { tools: {}, n: 0, rules: [], context };

const someRule = fc
  .record({
    type: fc.constantFrom(...FIELD_TYPE_NAMES),
    name: fc.constantFrom('loan_amount', 'birth_date', 'city', 'model_year', 'age', 'note'),
    required: fc.boolean(),
    min: fc.integer({ min: -1_000, max: 100_000 }),
    span: fc.integer({ min: 0, max: 1_000 }),
    transforms: fc.subarray([...TRANSFORM_NAMES], { maxLength: 2 }),
    allowed: fc.uniqueArray(fc.constantFrom('red', 'Green', '7', 'true'), { minLength: 1 }),
  })
  .map(({ type, name, required, min, span, transforms, allowed }): FieldRule => {
    const bounds = type === 'Number' ? { min, max: min + span } : {};
    const list = type === 'List of Allowed Values' ? { allowed_values: allowed } : {};
    // A transform may leave no value that fits another type.
    const change = type === 'String' ? { transforms } : {};
    return aField({ name, type, required, ...bounds, ...list, ...change });
  })
  .filter((rule) => checkFieldRules([rule]).length === 0);

describe('sampleLead', () => {
  it('generates a lead that the mapping accepts, with a value for every field', () => {
    fc.assert(
      fc.property(someRule, fc.nat(2_000_000), (rule, n) => {
        const fields = [...SYSTEM_FIELDS, rule];
        const sample = sampleLead(fields, { ...NONE, n });
        expect(sample.without).toEqual([]);
        expect(compileMapping(fields)(sample.fields)).toMatchObject({ ok: true });
        expect(Object.keys(sample.fields).sort()).toEqual(fields.map(({ name }) => name).sort());
      }),
    );
  });

  it('generates another person for another number', () => {
    const people = [0, 1, 99, 100, 1_599].map((n) => sampleLead(SYSTEM_FIELDS, { ...NONE, n }));
    for (const key of ['phone', 'email'])
      expect(new Set(people.map(({ fields }) => fields[key])).size).toBe(people.length);
  });

  it('passes filters and buyer rules where values can be generated', () => {
    const fields = [
      ...SYSTEM_FIELDS,
      aField({ name: 'age', type: 'Number' }),
      aField({ name: 'bought', type: 'Date' }),
      aField({ name: 'color', type: 'String' }),
      aField({ name: 'nothing', type: 'String' }),
    ];
    const filters: FilterGroup = {
      all: [
        { id: 'f1', field: 'age', operator: '>', value: 1_000 },
        { id: 'f2', field: 'age', operator: '!=', value: 1_001 },
        { id: 'f3', field: 'bought', operator: '<= N days ago', value: 730 },
        { id: 'f4', field: 'color', operator: 'MATCHES', value: '^(red|blue)$' },
        { id: 'f5', field: 'nothing', operator: 'IS EMPTY' },
        {
          any: [
            { id: 'f6', field: 'source', operator: 'IN', value: ['google', 'bing'] },
            { id: 'f7', field: 'source', operator: '==', value: 'radio' },
          ],
        },
      ],
    };
    const buyer = { states: ['WY'], zips: { zips: ['82001'], miles: 5 }, filters: null };
    const rules = [...rulesToPass(filters), ...rulesOfBuyer(buyer)];
    const mapped = compileMapping(fields)(sampleLead(fields, { ...NONE, rules }).fields);
    if (!mapped.ok) throw new Error('the mapping does not take it');
    expect(evaluateFilters(filters, mapped.fields, context)).toEqual([]);
    expect(mapped.fields).toMatchObject({ state: 'WY', zip_code: '82001' });
    expect(mapped.fields).not.toHaveProperty('nothing');
  });

  it('names a field for which no value can be generated', () => {
    const odd = aField({ name: 'odd', pattern: '^\\p{Greek}{3}$' });
    expect(sampleLead([odd], NONE)).toEqual({ fields: {}, without: ['odd'] });
  });
});

describe('samplesOfPattern', () => {
  it.each([
    '^[A-Z]{2}\\d{4}$',
    '^(red|green)-[0-9]+$',
    '^\\w+@\\w+\\.com$',
    '^[^a]$',
    '^a{2,5}?b*$',
    '^(?i)yes$',
    '^(?:ab)+c?$',
    '^[[:digit:]]{5}(-[0-9]{4})?$',
    '^\\+1[2-9]\\d{9}$',
    '^[]x]$',
    '^.{3}$',
    '\\bcar\\b',
    '^(?P<year>20\\d\\d)$',
    '^[\\d.]+$',
  ])('writes a text that %s matches', (pattern) => {
    const read = aField({ pattern });
    expect(checkFieldRules([read])).toEqual([]);
    const fits = samplesOfPattern(pattern).filter(
      (text) => compileMapping([...SYSTEM_FIELDS, read])({ ...PERSON, case_type: text }).ok,
    );
    expect(fits.length).toBeGreaterThan(0);
  });

  it('skips patterns that it does not support, and long texts', () => {
    for (const pattern of ['\\p{L}', '(', '[', '((a{90}){90}){90}'])
      expect(samplesOfPattern(pattern)).toEqual([]);
  });

  const PERSON = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '5551234567',
  };
});
