/** The published schema is enough to write a valid definition: it accepts what the service does, and describes all. */
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { FunnelDefinition } from '../../../src/funnels/rules/definition.js';
import { TEMPLATE_NAMES } from '../../../src/funnels/rules/templates/names.js';
import { templateOf } from '../../../src/funnels/rules/templates/templateOf.js';
import { jsonSchema, type JsonObject } from '../../../src/lib/jsonSchema.js';
import { BREAKS, copyOf } from './breaks.js';
import { BRIEFS } from './briefs.js';
import { mapping } from './mapping.js';

const SCHEMA = jsonSchema(FunnelDefinition, 'input');
const accepts = new Ajv2020({ strict: false }).compile(SCHEMA);

describe('the published schema of definitions', () => {
  it.each(BRIEFS)('accepts $title', ({ definition }) => {
    expect([accepts(definition), accepts.errors]).toEqual([true, null]);
  });

  it.each(TEMPLATE_NAMES)('accepts the definition of the template %s', (template) => {
    const made = templateOf(template, 'es', { name: 'Auto', fields: mapping() });
    expect([accepts(made), accepts.errors]).toEqual([true, null]);
  });

  it('describes every key, or has its one value', () => {
    expect(unexplained(SCHEMA, 'definition')).toEqual([]);
  });

  it('has no references: assistants read it as one piece', () => {
    expect(JSON.stringify(SCHEMA)).not.toContain('$ref');
  });

  it('refuses by itself every mistake except those of several parts together', () => {
    const missed = Object.entries(BREAKS).flatMap(([name, alter]) => {
      const draft = copyOf(BRIEFS[0]!.definition);
      return alter(draft, () => 0) !== null && accepts(draft) ? [name] : [];
    });
    expect(missed).toEqual([
      'a language without its texts',
      'a redirect to a host that is not allowed',
      'an id twice',
      'no form at the end',
      'a step that no answer leads to',
      'a next step that does not exist',
      'a next step that is the step itself',
      'a page that does not exist',
      'an answer that leads on and ends',
      'two options of one value',
      'a field that is asked twice',
      'code of its own',
    ]);
  });
});

/** Paths of keys without a description. */
function unexplained(schema: JsonObject, path: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const inside = [
    ...properties.map(([key, one]) => ({ path: `${path}.${key}`, one })),
    ...[schema.items].flatMap((one) =>
      one ? [{ path: `${path}[]`, one: one as JsonObject }] : [],
    ),
    ...((schema.oneOf ?? []) as JsonObject[]).map((one, at) => ({ path: `${path}(${at})`, one })),
  ];
  return [
    ...properties.flatMap(([key, { description, const: only }]) =>
      description === undefined && only === undefined ? [`${path}.${key}`] : [],
    ),
    ...inside.flatMap((next) => unexplained(next.one, next.path)),
  ];
}
