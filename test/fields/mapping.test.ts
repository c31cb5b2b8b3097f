import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFieldTools } from '../../src/account/access/fieldTools.js';
import { compileMapping, SYSTEM_FIELDS } from '../../src/fields/mapping.js';
import { mapLead } from './mapLead.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { aBody, aField } from '../support/builders.js';

const map = (overrides: Record<string, unknown>, custom: FieldRule[] = []) =>
  mapLead(aBody(overrides), [...SYSTEM_FIELDS, ...custom]);
const errorsOf = (overrides: Record<string, unknown>, custom: FieldRule[] = []) => {
  const result = map(overrides, custom);
  return result.ok ? [] : result.errors;
};
const required = (field: string, name: string) => ({
  field,
  code: 'required',
  message: `${name} is required for this campaign`,
});

describe('mapLead', () => {
  it('normalizes the system fields and leaves the control fields out', () => {
    const body = aBody({
      email: ' ADA@Example.com',
      state: 'tx',
      zip_code: '75001-1234',
      test_lead: true,
    });
    expect(mapLead({ ...body, flo_ping_id: 'p', flo_buyer_id: 'b' }, SYSTEM_FIELDS)).toEqual({
      ok: true,
      fields: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.com',
        phone: '+15551234567',
        state: 'TX',
        zip_code: '75001',
      },
      extra: {},
    });
  });

  it('keeps fields outside the mapping unchanged', () => {
    expect(map({ utm: ' A ', age: 41, ok: false, none: null, empty: ' ' })).toMatchObject({
      ok: true,
      extra: { utm: ' A ', age: 41, ok: false },
    });
  });

  it('names every problem at once, mapped fields first', () => {
    const custom = [aField({ required: true }), aField({ name: 'age', type: 'Number' })];
    const body = {
      phone: '1',
      email: null,
      first_name: '  ',
      age: 'old',
      notes: [],
      state: 'Texas',
    };
    expect(errorsOf(body, custom)).toEqual([
      required('first_name', 'First name'),
      required('email', 'Email'),
      { field: 'phone', code: 'invalid_format', message: 'Phone must be 10-15 digits' },
      {
        field: 'state',
        code: 'invalid_format',
        message: 'State must be a two-letter US state code',
      },
      required('case_type', 'case_type'),
      { field: 'age', code: 'invalid_format', message: 'age must be a number' },
      {
        field: 'notes',
        code: 'invalid_type',
        message: 'notes must be text, a number, true or false',
      },
    ]);
  });

  it.each(['first_name', 'last_name', 'email', 'phone'])(
    'requires %s even when the mapping says that it is optional, leaves it out, or has a default',
    (name) => {
      const body = aBody({ [name]: '' });
      const optional = SYSTEM_FIELDS.map((rule) => ({ ...rule, required: false }));
      const without = SYSTEM_FIELDS.filter((rule) => rule.name !== name);
      const value = { email: 'any@example.com', phone: '5551234567' }[name] ?? 'Any';
      const replaced = SYSTEM_FIELDS.map((rule) => ({ ...rule, default: value }));
      for (const rules of [optional, without, replaced, []]) {
        expect(mapLead(body, rules)).toMatchObject({
          ok: false,
          errors: [{ field: name, code: 'required' }],
        });
      }
    },
  );

  it('uses the default of an absent field, required or not, in its normal form', () => {
    const custom = [
      aField({ default: 'Auto', required: true }),
      aField({ name: 'region', type: 'State', default: 'tx' }),
    ];
    expect(map({ case_type: '' }, custom)).toMatchObject({
      fields: { case_type: 'Auto', region: 'TX' },
    });
    expect(map({ case_type: 'Boat' }, custom)).toMatchObject({ fields: { case_type: 'Boat' } });
  });

  it('does not use a default in place of a wrong value', () => {
    const custom = [aField({ type: 'Number', default: 1 })];
    expect(errorsOf({ case_type: 'x' }, custom)).toMatchObject([{ code: 'invalid_format' }]);
  });

  it('does not blame the supplier for a default that breaks its own rule', () => {
    const custom = [aField({ type: 'Number', default: 'x' })];
    expect(map({}, custom)).toMatchObject({ ok: true });
  });

  it('requires a field that its transforms leave empty', () => {
    const custom = [aField({ required: true, transforms: ['digits'] })];
    expect(errorsOf({ case_type: 'n/a' }, custom)).toEqual([required('case_type', 'case_type')]);
  });

  it('compiles once for many leads', () => {
    const mapper = compileMapping(SYSTEM_FIELDS);
    expect(mapper(aBody())).toEqual(mapLead(aBody(), SYSTEM_FIELDS));
    expect(mapper(aBody({ phone: '' }))).toMatchObject({ ok: false });
    expect(mapper(aBody())).toMatchObject({ ok: true });
  });

  it('accepts a strict phone only when the numbering plan has it', async () => {
    const rules = [
      ...SYSTEM_FIELDS.map((rule) => (rule.name === 'phone' ? { ...rule, strict: true } : rule)),
      aField({ name: 'callback', type: 'Phone', strict: true }),
      aField({ name: 'other', type: 'Phone' }),
    ];
    const mapper = compileMapping(rules, await createFieldTools(rules));
    const good = { phone: '(212) 555-0123', callback: '+44 20 7946 0018', other: '5551234567' };
    expect(mapper(aBody(good))).toMatchObject({
      ok: true,
      fields: { phone: '+12125550123', callback: '+442079460018', other: '+15551234567' },
    });
    const bad = { phone: '5551234567', callback: '+999 1234567890', other: '5551234567' };
    const problem = 'must be a phone number that exists in its country';
    expect(mapper(aBody(bad))).toEqual({
      ok: false,
      errors: [
        { field: 'phone', code: 'invalid_format', message: `Phone ${problem}` },
        { field: 'callback', code: 'invalid_format', message: `callback ${problem}` },
      ],
    });
    expect(mapper(aBody({ phone: '12' }))).toMatchObject({
      errors: [{ field: 'phone', message: 'Phone must be 10-15 digits' }],
    });
  });

  it('does not compile a strict field without the numbering plans, and asks for none otherwise', async () => {
    const strict = [aField({ name: 'callback', type: 'Phone', strict: true })];
    expect(() => compileMapping(strict)).toThrow('callback is strict');
    expect(await createFieldTools(SYSTEM_FIELDS)).toEqual({});
  });

  it('refuses to compile an invalid pattern', () => {
    expect(() => compileMapping([aField({ pattern: '(' })])).toThrow(
      /The pattern of case_type is not valid/,
    );
  });
});

describe('mapLead on any body', () => {
  const anyBody = fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        'phone',
        'email',
        'first_name',
        'last_name',
        'state',
        '__proto__',
        'toString',
      ),
      fc.string(),
    ),
    fc.anything({ withNullPrototype: true }),
  );

  it('answers without throwing, and what it accepts is scalars under names that can be stored', () => {
    const mapper = compileMapping(SYSTEM_FIELDS);
    fc.assert(
      fc.property(anyBody, fc.boolean(), (body, complete) => {
        const result = mapper(complete ? { ...body, ...aBody() } : body);
        if (!result.ok) {
          expect(result.errors.length).toBeGreaterThan(0);
          return;
        }
        for (const [name, value] of Object.entries({ ...result.extra, ...result.fields })) {
          expect(name).toMatch(/^[^\0\p{Cs}]+$/u);
          expect(['string', 'number', 'boolean']).toContain(typeof value);
        }
      }),
    );
  });

  it('gives the same fields when they are mapped again', () => {
    const mapper = compileMapping(SYSTEM_FIELDS);
    const body = fc.record({
      phone: fc.integer({ min: 1_000_000_000, max: 999_999_999_999_999 }),
      email: fc.emailAddress(),
      first_name: fc.string({ minLength: 1 }),
      source: fc.string(),
    });
    fc.assert(
      fc.property(body, (given) => {
        const first = mapper(aBody(given));
        if (first.ok) expect(mapper({ ...first.fields, ...first.extra })).toEqual(first);
      }),
    );
  });
});
