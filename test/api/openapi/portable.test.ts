/** Shapes that are valid, and that generators of clients read wrongly or not at all. */
import { describe, expect, it } from '@jest/globals';
import { portable } from '../../../src/api/openapi/portable.js';
import type { JsonObject } from '../../../src/lib/jsonSchema.js';
import { readDocument } from '../../support/contract.js';

describe('a schema for generators of clients', () => {
  it.each([
    [
      { type: 'boolean', const: true },
      { type: 'boolean', description: 'Always true' },
    ],
    [{ const: false }, { type: 'boolean', description: 'Always false' }],
    [{ enum: [false] }, { type: 'boolean', description: 'Always false' }],
    [
      { const: true, description: 'It is so' },
      { type: 'boolean', description: 'It is so' },
    ],
  ])('has a plain boolean in the place of %j', (schema, expected) => {
    expect(portable(schema)).toEqual(expected);
  });

  it.each([
    { type: 'string', const: 'true' },
    { type: 'string', enum: ['a', 'b'] },
    { type: ['string', 'null'], enum: ['true', null] },
    { type: 'integer', default: 0 },
    { type: 'boolean', default: false },
    { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    { type: 'object', properties: { const: { type: 'string' }, default: { type: 'object' } } },
    { type: 'object', examples: [{ const: true }], default: 'x', required: ['const'] },
  ])('keeps %j', (schema) => {
    expect(portable(schema)).toEqual(schema);
  });

  it('changes schemas at every place, under any name', () => {
    const flag = { type: 'boolean', const: true };
    const plain = { type: 'boolean', description: 'Always true' };
    const made = portable({
      properties: { default: flag, enum: { items: flag }, a: { anyOf: [flag, { not: flag }] } },
      additionalProperties: flag,
    });
    expect(made).toEqual({
      properties: { default: plain, enum: { items: plain }, a: { anyOf: [plain, { not: plain }] } },
      additionalProperties: plain,
    });
  });

  it('has no object and no list as a default', () => {
    expect(portable({ type: 'object', default: {} })).toEqual({ type: 'object' });
    expect(portable({ type: 'array', default: [] })).toEqual({ type: 'array' });
  });

  it('has no choice of which one takes anything', () => {
    expect(portable({ anyOf: [{}, { type: 'null' }], description: 'Any' })).toEqual({
      description: 'Any',
    });
  });

  it('names the words of an enum that differ in case alone', () => {
    const schema = { type: 'string', enum: ['NEW', 'PENDING', 'pending', 'not_qualified', null] };
    expect(portable(schema)).toEqual({
      ...schema,
      'x-enum-varnames': ['NEW', 'PENDING', 'LOWERCASE_PENDING', 'NOT_QUALIFIED'],
    });
  });
});

describe('the published document', () => {
  const faults = everySchema(readDocument()).flatMap(({ at, schema }) =>
    faultsOf(schema).map((fault) => `${at}: ${fault}`),
  );

  it('has no shape that generators read wrongly, in any operation and any schema', () => {
    expect(faults).toEqual([]);
  });
});

function faultsOf(schema: JsonObject): string[] {
  const words = Array.isArray(schema.enum) ? (schema.enum as unknown[]) : [];
  const only = 'const' in schema ? schema.const : words.length === 1 ? words[0] : undefined;
  const names = words.filter((one) => typeof one === 'string').map((one) => one.toUpperCase());
  const isObject = typeof schema.default === 'object' && schema.default !== null;
  return [
    ...(typeof only === 'boolean' ? ['a boolean of one value'] : []),
    ...(isObject ? ['a default that is no plain value'] : []),
    ...(new Set(names).size < names.length && !('x-enum-varnames' in schema)
      ? ['words of one name']
      : []),
  ];
}

/** What may be a schema: every object but examples, and what stands in `properties` under its own name. */
function everySchema(value: unknown, at = ''): { at: string; schema: JsonObject }[] {
  if (typeof value !== 'object' || value === null) return [];
  const isMap = /\/(?:properties|responses)$/.test(at) || Array.isArray(value);
  const inner = Object.entries(value)
    .filter(([key]) => isMap || !['example', 'examples', 'default', 'const'].includes(key))
    .flatMap(([key, one]) => everySchema(one, `${at}/${key}`));
  return isMap ? inner : [{ at, schema: value as JsonObject }, ...inner];
}
