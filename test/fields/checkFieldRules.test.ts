import { describe, expect, it } from '@jest/globals';
import { checkFieldRules, SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { aField } from '../support/builders.js';

describe('checkFieldRules', () => {
  it('accepts the system fields and ordinary custom ones', () => {
    const custom = [
      aField({
        name: 'case_type',
        type: 'List of Allowed Values',
        allowed_values: ['A', 'B'],
        default: 'a',
      }),
      aField({ name: 'age', type: 'Number', min: 18, max: 99, default: 21 }),
      aField({ name: 'zip2', pattern: '^[0-9]{5}$', max_length: 5 }),
      aField({ name: 'callback', type: 'Phone', strict: true }),
    ];
    expect(checkFieldRules([...SYSTEM_FIELDS, ...custom])).toEqual([]);
  });

  const table: [Partial<FieldRule>, RegExp][] = [
    [{ name: 'CaseType' }, /"CaseType" is not a field name: use snake_case/],
    [{ name: '1st' }, /is not a field name/],
    [{ name: '' }, /is not a field name/],
    [{ name: 'a.b' }, /is not a field name/],
    [{ name: 'a'.repeat(65) }, /at most 64 characters/],
    [{ name: '__proto__' }, /is not a field name/],
    [{ name: 'constructor' }, /constructor is a reserved name/],
    [{ name: 'prototype' }, /prototype is a reserved name/],
    [{ name: 'flo_campaign_id' }, /flo_campaign_id is a reserved name/],
    [{ name: 'test_lead' }, /test_lead is a reserved name/],
    [{ name: 'phone', type: 'String' }, /phone is a system field and must have the type Phone/],
    [
      { type: 'Text' as FieldRule['type'] },
      /case_type: type must be one of String, Number, Boolean/,
    ],
    [{ type: 'toString' as FieldRule['type'] }, /case_type: type must be one of/],
    [
      { transforms: ['trim', 'reverse' as 'trim'] },
      /case_type: transforms must be of trim, lowercase, uppercase, titlecase, phone_e164/,
    ],
    [{ strict: true }, /case_type: strict is only allowed for the type Phone/],
    [
      { type: 'Phone', strict: true, default: '5551234567' },
      /a strict field cannot have a default/,
    ],
    [{ type: 'List of Allowed Values' }, /case_type needs its allowed_values/],
    [{ allowed_values: [] }, /must list at least one value/],
    [{ allowed_values: ['A', ' '] }, /must not be empty text/],
    [{ allowed_values: ['A', 'a'] }, /case-insensitive and must differ/],
    [{ min: 1 }, /min and max are only allowed for the type Number/],
    [{ type: 'Number', min: Number.NaN }, /case_type: min must be a number/],
    [{ type: 'Number', min: 2, max: 1 }, /min must not be greater than max/],
    [{ max_length: 0 }, /whole number from 1 to 10000/],
    [{ max_length: 2.5 }, /whole number from 1 to 10000/],
    [{ max_length: 1_000_000 }, /whole number from 1 to 10000/],
    [{ pattern: '(' }, /case_type: pattern is not valid: .*missing closing/],
    [{ pattern: '(a)\\1' }, /pattern is not valid/],
    [{ pattern: '(?=a)' }, /pattern is not valid/],
    [
      { pattern: 'a(?:[ab]{0,31}){0,32}c' },
      /case_type: pattern repeats too much; use smaller numbers/,
    ],
    [
      { name: 'price', type: 'Number' },
      /^price is a reserved name: the buyer gets the service's own/,
    ],
    [{ name: 'extra' }, /^extra is a reserved name/],
    [{ pattern: 'a'.repeat(501) }, /pattern must be at most 500 characters/],
    [
      { name: 'phone', type: 'Phone', default: '5551234567' },
      /phone: a default is not allowed, because every lead must bring its own/,
    ],
    [
      { type: 'Number', default: 'x' },
      /the default breaks its own rule: case_type must be a number/,
    ],
  ];
  it.each(table)('reports %j', (overrides, problem) => {
    const problems = checkFieldRules([aField(overrides)]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  it('keeps a name and a pattern that were stored before there was a rule against them', () => {
    const stored = [
      aField({ name: 'price', type: 'Number' }),
      aField({ pattern: '^(?:[a-z]{0,31}){0,32}$' }),
    ];
    expect(checkFieldRules(stored)).toHaveLength(2);
    expect(checkFieldRules([...stored, aField({ name: 'other' })], stored)).toEqual([]);
    const changed = aField({ pattern: '^(?:[a-z]{0,30}){0,32}x$' });
    expect(checkFieldRules([changed], stored)).toHaveLength(1);
  });

  it('reports a field that is listed twice', () => {
    expect(checkFieldRules([aField(), aField()])).toEqual(['case_type is listed more than once']);
  });
});
