/** The abbreviated inputs of tools: never narrower than the full ones, and readable by every host. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from '@jest/globals';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { briefOf, hintOf } from '../../../src/api/mcp/brief.js';
import { compactInput } from '../../../src/api/mcp/compactSchema.js';
import { inputOf, toolsOf } from '../../../src/api/mcp/tools.js';
import type { JsonObject } from '../../../src/lib/jsonSchema.js';

const ajv = new Ajv2020({ strict: false, code: { optimize: false }, inlineRefs: false });
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T/);
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
ajv.addFormat('email', /@/);

/** Values of every kind, as callers may send them; the words of a schema come on top. */
// prettier-ignore
const VALUES: readonly unknown[] = [
  null, true, false, 0, 1, 7.5, 2_000_000, '', 'CA', 'x', '2026-11-01', '2026-11-01T00:00:00Z', 'a@b.example',
  '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7', [], ['CA', 'TX'], [{}], [[{ field: 'state' }]], {}, { mon: 4 },
  { percent: 5 }, { zips: ['90210'], miles: 5 },
];

const wordsIn = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { enum: words = [], examples = [], const: only, default: usual } = value as JsonObject;
  const own = [...(words as unknown[]), ...(examples as unknown[]), only, usual];
  return [...own.filter((one) => one !== undefined), ...Object.values(value).flatMap(wordsIn)];
};

const partsOf = ({ properties = {} }: JsonObject) => properties as Record<string, JsonObject>;

describe.each(REGISTRY.map((action) => [action.name, action] as const))(
  'the abbreviated input of %s',
  (_, action) => {
    it('accepts the example, and every value that the full one accepts', async () => {
      const [, tool] = await toolsOf([action]);
      const { inputSchema } = tool!;
      expect([ajv.validate(inputSchema, action.example), ajv.errorsText()]).toEqual([
        true,
        'No errors',
      ]);
      const full = partsOf(await inputOf(action));
      const brief = partsOf(inputSchema);
      expect(Object.keys(brief)).toEqual(Object.keys(full));
      for (const [key, schema] of Object.entries(full)) {
        const [wide, narrow] = [ajv.compile(schema), ajv.compile(brief[key]!)];
        const lost = [...VALUES, ...wordsIn(schema)].filter((one) => wide(one) && !narrow(one));
        expect([key, lost]).toEqual([key, []]);
      }
    });

    it('says of each list what is in it, and shows an example of what is deep', async () => {
      const [, tool] = await toolsOf([action]);
      for (const [key, { type, items, examples }] of Object.entries(partsOf(tool!.inputSchema))) {
        const kinds = [type].flat();
        if (kinds.includes('array')) expect([key, items]).toEqual([key, expect.any(Object)]);
        if (kinds.includes('object')) expect([key, examples]).toEqual([key, expect.any(Array)]);
      }
    });

    it('shows examples that the full one accepts', async () => {
      const [, tool] = await toolsOf([action]);
      const full = partsOf(await inputOf(action));
      for (const [key, { examples = [] }] of Object.entries(partsOf(tool!.inputSchema)))
        for (const one of examples as unknown[])
          expect([key, one, ajv.validate(full[key]!, one)]).toEqual([key, one, true]);
    });
  },
);

describe('an abbreviation', () => {
  const brief = (schema: JsonObject, example: JsonObject = {}) =>
    partsOf(compactInput({ properties: { it: schema } }, example, new Set())).it;

  it.each<[string, JsonObject, JsonObject]>([
    ['a bound', { type: 'integer', minimum: 1, default: 5 }, { type: 'integer' }],
    [
      'a kind or null',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: ['string', 'null'] },
    ],
    ['a word', { const: 'A' }, { type: 'string', enum: ['A'] }],
    [
      'words or null',
      { anyOf: [{ type: 'string', enum: ['A', 'B'] }, { type: 'null' }] },
      { type: ['string', 'null'], enum: ['A', 'B', null] },
    ],
    [
      'words or other texts',
      { anyOf: [{ type: 'string', enum: ['A'] }, { type: 'string' }] },
      { type: 'string' },
    ],
    [
      'a list of words',
      { type: 'array', maxItems: 2, items: { type: 'string', enum: ['A', 'B'], minLength: 1 } },
      { type: 'array', items: { type: 'string', enum: ['A', 'B'] } },
    ],
    [
      'whole and other numbers',
      { anyOf: [{ type: 'integer' }, { type: 'number' }] },
      { type: 'number' },
    ],
    ['anything', { description: 'Any value' }, { description: 'Any value' }],
    ['one of kinds that are not all known', { anyOf: [{ type: 'string' }, {}] }, {}],
  ])('of %s', (_, schema, expected) => {
    expect(JSON.parse(JSON.stringify(brief(schema)))).toEqual(expected);
  });

  it('of something deep has the example of the action, or else its own', () => {
    const deep = { type: 'object', properties: { a: {} }, examples: [{ a: 1 }] };
    expect(brief(deep, { it: { a: 2 } })).toMatchObject({ type: 'object', examples: [{ a: 2 }] });
    expect(brief({ anyOf: [deep, { type: 'null' }] })).toMatchObject({ examples: [{ a: 1 }] });
  });
});

describe('a text in short', () => {
  it.each([
    ['The first of it; the rest', 'The first of it'],
    ['Days of a week: 1 to 9', 'Days of a week'],
    ['How long it waits, in milliseconds, before it goes on', 'How long it waits, in milliseconds'],
    ['A text without any comma or other sign at which it could be cut in two', undefined],
    ['The id of the lead', undefined],
    ['Only leads of this campaign', undefined],
    ['WEBHOOK', undefined],
    [undefined, undefined],
  ])('of %j is %j', (text, short) => {
    expect(hintOf(text)).toBe(short);
  });

  const summary = 'List leads';
  const description = 'Newest first. All of them.';
  it('of an action that reads is its first sentence, of a change also its summary', () => {
    expect(briefOf({ summary, description, effect: 'read' })).toBe('Newest first.');
    expect(briefOf({ summary, description, effect: 'write' })).toBe('List leads. Newest first.');
  });

  it('of an action is its summary where the sentence is long', () => {
    const long = `${'very '.repeat(40)}long.`;
    expect(briefOf({ summary, description: long, effect: 'read' })).toBe('List leads.');
  });
});
