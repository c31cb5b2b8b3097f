import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { published } from '../../../src/lib/schema/published.js';
import { checkBy, objectRules } from '../../../src/lib/schema/sentences.js';

const Part = z.strictObject(
  { size: z.number('must be a number').max(9, 'must be at most 9') },
  objectRules('a part has size', 'must be { size }'),
);
const Parts = z.union([Part, z.array(Part).min(1, 'must have a part')], 'must be parts');
const problems = (input: unknown) => {
  const checked = checkBy(Parts, input, 'parts');
  return checked.ok ? [] : checked.problems;
};

describe('checkBy', () => {
  it('returns the parsed value', () => {
    expect(checkBy(Parts, [{ size: 1 }], 'parts')).toEqual({ ok: true, value: [{ size: 1 }] });
  });

  it.each([
    [{ size: 'x' }, ['parts.size must be a number']],
    [
      [{ size: 10 }, 5],
      ['parts[0].size must be at most 9', 'parts[1] must be { size }'],
    ],
    [[], ['parts must have a part']],
    [{ size: 1, weight: 2 }, ['parts has an unknown key "weight"; a part has size']],
    ['text', ['parts must be parts']],
  ])('names the place inside %j, by the closest member of the union', (input, sentences) => {
    expect(problems(input)).toEqual(sentences);
  });

  it('returns the first 50 problems, and the number of the others', () => {
    const found = problems(Array.from({ length: 60 }, () => 5));
    expect(found).toHaveLength(51);
    expect(found.at(-1)).toBe('10 more problems');
  });
});

describe('published', () => {
  it('has the JSON Schema of the value, and accepts any', () => {
    const schema = published(Parts);
    expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({
      anyOf: [{ properties: { size: { maximum: 9 } } }, { type: 'array', minItems: 1 }],
    });
    expect(schema.safeParse('text').success).toBe(true);
  });
});
