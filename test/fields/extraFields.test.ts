import { describe, expect, it } from '@jest/globals';
import { CONTROL_FIELDS, SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { mapLead } from './mapLead.js';
import { INHERITED } from '../support/inherited.js';
import { aBody, aField } from '../support/builders.js';

const map = (overrides: Record<string, unknown>) => mapLead(aBody(overrides), SYSTEM_FIELDS);
const errorsOf = (overrides: Record<string, unknown>) => {
  const result = map(overrides);
  return result.ok ? [] : result.errors;
};

describe('fields outside the mapping', () => {
  it.each(['$where', '$', 'a.b', '.', '$set.a', 'prototype', 'größe', 'with blanks', ...INHERITED])(
    'keeps what has the name %s',
    (name) => {
      const body = Object.fromEntries([...Object.entries(aBody()), [name, 'x']]);
      const result = mapLead(body, SYSTEM_FIELDS);
      expect(result.ok && Object.entries(result.extra)).toEqual([[name, 'x']]);
    },
  );

  it('is not polluted by an object under __proto__', () => {
    const body = JSON.parse('{"__proto__": {"isAdmin": true, "phone": "5551234567"}}') as Record<
      string,
      unknown
    >;
    expect(mapLead(body, SYSTEM_FIELDS)).toMatchObject({
      ok: false,
      errors: [
        ...['first_name', 'last_name', 'email', 'phone'].map((field) => ({
          field,
          code: 'required',
        })),
        { field: '__proto__', code: 'invalid_type' },
      ],
    });
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('reads only what the body itself has', () => {
    const inherited = Object.create({ case_type: 'Auto', utm: 'x' }) as Record<string, unknown>;
    const result = mapLead(Object.assign(inherited, aBody()), [...SYSTEM_FIELDS, aField()]);
    expect(result).toMatchObject({ ok: true, extra: {} });
    expect(result).not.toHaveProperty(['fields', 'case_type']);
    expect(mapLead(aBody(), [...SYSTEM_FIELDS, aField({ name: 'to_string' })])).toMatchObject({
      ok: true,
    });
  });

  it.each(['a\u0000', '\ud800', ''])('refuses the name %j', (name) => {
    expect(errorsOf({ [name]: 'x' })).toMatchObject([{ field: name, code: 'not_allowed' }]);
  });

  it('accepts a name of 500 characters and shortens a longer one in its answer', () => {
    expect(map({ ['k'.repeat(500)]: 'x'.repeat(10_000) })).toMatchObject({ ok: true });
    expect(errorsOf({ ['k'.repeat(5_000)]: 1 })).toEqual([
      {
        field: `${'k'.repeat(100)}…`,
        code: 'not_allowed',
        message: 'A field name must be at most 500 characters',
      },
    ]);
  });

  it('accepts 100 of them and refuses 101', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    expect(map(many(100))).toMatchObject({ ok: true });
    expect(errorsOf(many(101))).toEqual([
      {
        field: 'k100',
        code: 'not_allowed',
        message: 'A lead may have at most 100 fields outside the field mapping; this one has more',
      },
    ]);
  });

  it('does not count absent values and control fields among the 100', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, '']));
    const control = Object.fromEntries(CONTROL_FIELDS.map((name) => [name, 'x']));
    expect(map({ ...many, ...control })).toMatchObject({ ok: true, extra: {} });
  });

  it.each([
    ['x'.repeat(10_001), 'too_long'],
    ['a\u0000', 'invalid_format'],
    [{}, 'invalid_type'],
    [[], 'invalid_type'],
    [Number.POSITIVE_INFINITY, 'out_of_range'],
  ])('refuses a value that cannot be stored', (value, code) => {
    expect(errorsOf({ notes: value })).toMatchObject([{ field: 'notes', code }]);
  });

  it('limits the number of errors for a hopeless body', () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`$${i}`, 1]));
    expect(errorsOf(body).length).toBeLessThanOrEqual(110);
  });
});
