import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { jsonSchema } from '../../../src/lib/jsonSchema.js';
import { patchOf } from '../../../src/lib/schema/patchOf.js';
import {
  choice,
  flag,
  optionalText,
  texts,
  wholeNumber,
} from '../../../src/lib/schema/settings.js';

const common = { timeout_ms: wholeNumber(100, 30_000).default(500).describe('For all of it') };
const Post = z.strictObject({
  method: z.literal('POST').describe('How'),
  ...common,
  format: choice(['json', 'form']).default('json').describe('Of the body'),
  template: z.array(z.string()).nullable().default(null).describe('The body'),
});
const Mail = z.strictObject({
  method: z.literal('MAIL').describe('How'),
  ...common,
  format: choice(['text', 'html']).default('text').describe('Of the mail'),
  template: optionalText(10).describe('The body'),
  to: texts(2).describe('Who gets it'),
});
const Both = z.discriminatedUnion('method', [Post, Mail]);
const Patch = patchOf(Both);

describe('the schema of a patch', () => {
  it('is flat, and has the words of every method', () => {
    const { properties } = jsonSchema(Patch, 'input');
    expect(properties).toEqual({
      method: {
        anyOf: [{ type: 'string', enum: ['POST', 'MAIL'] }, { type: 'null' }],
        description: 'How',
      },
      timeout_ms: {
        anyOf: [{ type: 'integer', minimum: 100, maximum: 30_000 }, { type: 'null' }],
        description: 'For all of it',
      },
      format: {
        anyOf: [{ type: 'string', enum: ['json', 'form', 'text', 'html'] }, { type: 'null' }],
        description: 'POST: Of the body; MAIL: Of the mail',
      },
      template: { description: 'The body' },
      to: {
        anyOf: [
          {
            anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, maxItems: 2 }],
          },
          { type: 'null' },
        ],
        description: 'MAIL: Who gets it',
      },
    });
  });

  it('checks types, and leaves limits to the schema of the settings', () => {
    const given = { timeout_ms: 5, to: ['a', 'b', 'c'], template: { a: 1 } };
    expect(Patch.parse(given)).toEqual(given);
    expect(Patch.parse({ timeout_ms: null })).toEqual({ timeout_ms: null });
    for (const wrong of [{ timeout_ms: 5.5 }, { format: 'xml' }, { to: 5 }, { unheard_of: 1 }])
      expect(Patch.safeParse(wrong).success).toBe(false);
  });

  it('reaches into objects', () => {
    const Inner = patchOf(
      z.strictObject({ at: z.strictObject({ hour: wholeNumber(0, 23), on: flag() }) }),
    );
    expect(Inner.parse({ at: { hour: 99 } })).toEqual({ at: { hour: 99 } });
    expect(Inner.safeParse({ at: { hours: 9 } }).success).toBe(false);
  });
});
