import { describe, expect, it } from '@jest/globals';
import { SYSTEM_FIELDS } from '../../../src/fields/mapping.js';
import { compilePingMapping } from '../../../src/pings/rules/pingFields.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import { aField } from '../../support/builders.js';

const IDS = { flo_campaign_id: 'c1', flo_supplier_id: 's1' };

describe('the fields of a ping', () => {
  const read = (rules: readonly FieldRule[], body: Record<string, unknown> = {}) =>
    compilePingMapping(rules)({ ...IDS, ...body });

  it('are optional, even those that every lead must have', () => {
    expect(read(SYSTEM_FIELDS)).toEqual({ ok: true, fields: {} });
    expect(read([])).toEqual({ ok: true, fields: {} });
  });

  it('are required where the campaign requires them in pings', () => {
    const rules = [
      aField({ name: 'age', type: 'Number', ping_required: true, label: 'Age', default: 30 }),
      aField({ name: 'case_type', required: true }),
    ];
    const message = 'Age is required in every ping of this campaign';
    for (const body of [{}, { age: null }, { age: ' ' }]) {
      expect(read(rules, body)).toEqual({
        ok: false,
        errors: [{ field: 'age', code: 'required', message }],
      });
    }
    expect(read(rules, { age: '41' })).toEqual({ ok: true, fields: { age: 41 } });
  });

  it('get no default, which may differ from the value at the post', () => {
    const rules = [aField({ name: 'origin', default: 'web' })];
    expect(read(rules)).toEqual({ ok: true, fields: {} });
    expect(read(rules, { origin: 'app' })).toEqual({ ok: true, fields: { origin: 'app' } });
  });

  it('are read as at the post', () => {
    const body = { phone: '(555) 123-4567', email: ' ada@example.com', state: 'tx' };
    const result = read(SYSTEM_FIELDS, body);
    expect(result).toMatchObject({ ok: true, fields: { phone: '+15551234567', state: 'TX' } });
    expect(read(SYSTEM_FIELDS, { phone: '12', email: 'x' })).toMatchObject({
      ok: false,
      errors: [
        { field: 'email', code: 'invalid_format' },
        { field: 'phone', code: 'invalid_format' },
      ],
    });
  });

  it('that are not mapped are checked and dropped', () => {
    expect(read(SYSTEM_FIELDS, { utm: 'x', flo_ping_id: 'old' })).toEqual({ ok: true, fields: {} });
    expect(read(SYSTEM_FIELDS, { utm: { a: 1 }, 'a.b': 1, 'a\u0000': 1 })).toMatchObject({
      ok: false,
      errors: [
        { field: 'utm', code: 'invalid_type' },
        { field: 'a\u0000', code: 'not_allowed' },
      ],
    });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`f${n}`, n]));
    expect(read(SYSTEM_FIELDS, many)).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringMatching(/^A ping may have at most 100 fields/) }],
    });
  });

  it('cannot reach object prototypes by any name', () => {
    const body = JSON.parse('{"__proto__":{"age":1},"constructor":"x"}') as Record<string, unknown>;
    expect(read([aField({ name: 'age', ping_required: true })], body)).toMatchObject({ ok: false });
  });
});
