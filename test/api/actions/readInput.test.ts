import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { FieldScalar } from '../../../src/fields/values.js';
import { readInput } from '../../../src/api/actions/readInput.js';
import { AppError } from '../../../src/lib/errors.js';

const schema = z.strictObject({
  campaign_id: z.string().min(1).max(10),
  status: z.enum(['ACTIVE', 'PAUSED']).optional(),
  priority: z.number().int().min(0).max(9).nullable().optional(),
  limit: z.number().int().default(100),
  fields: z
    .array(z.strictObject({ field_name: z.string(), required: z.boolean().default(false) }))
    .optional(),
  anything: z.record(z.string(), z.string()).optional(),
});
const read = (body: Record<string, unknown>) => readInput(schema, body);
const detailsOf = (body: Record<string, unknown>) => {
  try {
    return read(body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_input');
    return error.extras.details;
  }
};

describe('the input of an action', () => {
  it('may be in camelCase, at every depth, except in maps with free names', () => {
    const given = { campaignId: 'c', fields: [{ fieldName: 'x' }], anything: { myKey: 'y' } };
    expect(read(given)).toEqual({
      campaign_id: 'c',
      limit: 100,
      anything: { myKey: 'y' },
      fields: [{ field_name: 'x', required: false }],
    });
  });

  it('reads a number of many digits, which comes as text, by the kind of value that is wanted', () => {
    const digits = '7615917337430043418';
    const refused = detailsOf({ campaign_id: 'c', priority: digits });
    expect(refused).toContainEqual({
      path: 'priority',
      code: 'out_of_range',
      message: 'priority must be at most 9.',
    });
    expect(refused).toEqual(detailsOf({ campaign_id: 'c', priority: Number(digits) }));
    const named = z.strictObject({ max: z.number().optional(), value: FieldScalar });
    expect(readInput(named, { max: digits, value: digits })).toEqual({
      max: Number(digits),
      value: digits,
    });
    expect(detailsOf({ campaign_id: 'c', priority: '5' })).toMatchObject([
      { path: 'priority', code: 'invalid_type' },
    ]);
  });

  it('has no key and no text that cannot be stored, at any depth', () => {
    expect(detailsOf({ campaign_id: 'c', anything: { 'a\0b': 'y' } })).toEqual([
      {
        path: 'anything',
        code: 'not_allowed',
        message: 'anything has a key that contains NUL (U+0000) or a broken character; remove it.',
      },
    ]);
    expect(detailsOf({ 'x\0': 1, fields: [{ '\0': { '\0': 2 } }] })).toMatchObject([
      { path: '', message: expect.stringMatching(/^The input has a key that contains NUL/) },
      { path: 'fields.0' },
    ]);
    for (const broken of ['a\0', 'half \ud800'])
      expect(detailsOf({ campaign_id: 'c', anything: { a: [broken] } })).toEqual([
        {
          path: 'anything.a.0',
          code: 'not_allowed',
          message: 'anything.a.0 contains NUL (U+0000) or a broken character; remove it.',
        },
      ]);
  });

  it('accepts enum words in any case', () => {
    expect(read({ campaign_id: 'c', status: 'active' })).toMatchObject({ status: 'ACTIVE' });
  });

  it('treats null as absent, unless null has a meaning', () => {
    const given = { campaign_id: 'c', status: null, limit: null, priority: null };
    expect(read(given)).toEqual({ campaign_id: 'c', limit: 100, priority: null });
  });

  it('is refused with every problem at once, each with its path, code and rule', () => {
    const given = {
      campaign_id: 7,
      status: 'on',
      priority: 10,
      limit: 1.5,
      fields: [{ required: 'yes' }],
    };
    expect(detailsOf(given)).toEqual([
      { path: 'campaign_id', code: 'invalid_type', message: 'campaign_id must be text.' },
      { path: 'status', code: 'not_allowed', message: 'status must be one of ACTIVE, PAUSED.' },
      { path: 'priority', code: 'out_of_range', message: 'priority must be at most 9.' },
      { path: 'limit', code: 'invalid_type', message: 'limit must be a whole number.' },
      {
        path: 'fields.0.field_name',
        code: 'required',
        message: 'fields.0.field_name is required.',
      },
      {
        path: 'fields.0.required',
        code: 'invalid_type',
        message: 'fields.0.required must be true or false.',
      },
    ]);
  });

  it.each([
    [{}, [{ path: 'campaign_id', code: 'required', message: 'campaign_id is required.' }]],
    [{ campaign_id: null }, [{ code: 'required', message: 'campaign_id is required.' }]],
    [{ campaign_id: '' }, [{ code: 'required' }]],
    [
      { campaign_id: 'x'.repeat(11) },
      [{ code: 'too_long', message: 'campaign_id must have at most 10 characters.' }],
    ],
    [
      { campaign_id: 'c', satus: 'ACTIVE' },
      [
        {
          path: 'satus',
          code: 'not_allowed',
          message: 'satus is not a key of this input. Did you mean status?',
        },
      ],
    ],
    [
      { campaign_id: 'c', fields: [{ fieldname: 'x' }] },
      [
        { path: 'fields.0.field_name', code: 'required' },
        { path: 'fields.0.fieldname', message: expect.stringContaining('mean field_name?') },
      ],
    ],
    [
      { campaign_id: 'c', campaignId: 'd' },
      [{ path: 'campaignId', message: expect.stringContaining('mean campaign_id?') }],
    ],
    [{ campaign_id: 'c', constructor: 1 }, [{ path: 'constructor', code: 'not_allowed' }]],
  ])('%j is refused', (body, details) => {
    expect(detailsOf(body)).toMatchObject(details);
  });
});
