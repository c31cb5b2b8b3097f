import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { AppError } from '../../../src/lib/errors.js';
import {
  customIssue,
  layOver,
  problemsOf,
  readParts,
  settled,
} from '../../../src/lib/schema/zodIssues.js';
import {
  choice,
  flag,
  requiredText,
  texts,
  wholeNumber,
} from '../../../src/lib/schema/settings.js';

const Settings = z.strictObject({
  url: requiredText(20, 'must be the address'),
  timeout_ms: wholeNumber(100, 200).default(150),
  enabled: flag().default(true),
  mode: choice(['a', 'b']).default('a'),
  to: texts(2).optional(),
  rules: z
    .unknown()
    .check(({ value, issues }) => {
      if (value === 'bad')
        issues.push({
          ...customIssue('too_long', ': it is nested too deep', ['any', 0]),
          input: value,
        });
    })
    .optional(),
});

function problems(input: object, current?: object) {
  const keys = Object.keys(Settings.shape);
  try {
    settled(
      'delivery',
      readParts(Settings, layOver(input, current, keys), (hint) => `is no setting.${hint}`),
    );
    return [];
  } catch (error) {
    return error instanceof AppError ? error.extras.field_errors : error;
  }
}

describe('problems of settings', () => {
  it.each([
    [{}, 'delivery.url', 'required', 'delivery.url must be the address.'],
    [{ url: '' }, 'delivery.url', 'required', 'delivery.url must be the address.'],
    [{ url: 5 }, 'delivery.url', 'invalid_type', 'delivery.url must be text.'],
    [
      { url: 'x'.repeat(21) },
      'delivery.url',
      'too_long',
      'delivery.url must have at most 20 characters.',
    ],
    [
      { url: 'x', timeout_ms: 5.5 },
      'delivery.timeout_ms',
      'out_of_range',
      'delivery.timeout_ms must be a whole number, 100 to 200.',
    ],
    [
      { url: 'x', timeout_ms: '5' },
      'delivery.timeout_ms',
      'out_of_range',
      'delivery.timeout_ms must be a whole number, 100 to 200.',
    ],
    [
      { url: 'x', enabled: 'no' },
      'delivery.enabled',
      'invalid_type',
      'delivery.enabled must be true or false.',
    ],
    [{ url: 'x', mode: 'c' }, 'delivery.mode', 'not_allowed', 'delivery.mode must be a or b.'],
    [{ url: 'x', to: [5] }, 'delivery.to', 'invalid_type', 'delivery.to must be a list of texts.'],
    [
      { url: 'x', to: ['a', 'b', 'c'] },
      'delivery.to',
      'too_long',
      'delivery.to must have at most 2 entries.',
    ],
    [
      { url: 'x', urls: 1 },
      'delivery.urls',
      'not_allowed',
      'delivery.urls is no setting. Did you mean url?',
    ],
    [
      { url: 'x', rules: 'bad' },
      'delivery.rules.any[0]',
      'too_long',
      'delivery.rules.any[0]: it is nested too deep.',
    ],
  ])('of %j is one, by its field, code and rule', (input, field, code, message) => {
    expect(problems(input)).toEqual([{ field, code, message }]);
  });

  it('are reported all at once', () => {
    expect(problems({ mode: 1, enabled: 1, constructor: 1 })).toHaveLength(4);
  });
});

it('merges the given settings with the stored ones; null resets one', () => {
  const current = { url: 'old', timeout_ms: 200, checked: true, mode: null };
  expect(
    layOver({ timeout_ms: null, enabled: false }, current, ['url', 'timeout_ms', 'mode']),
  ).toEqual({
    url: 'old',
    enabled: false,
  });
});

describe('the problems of a schema', () => {
  it('are reported once each, in linear time', () => {
    const wrong = Array.from({ length: 50_000 }, () => 1);
    const { error } = z.array(z.string('must be text')).safeParse(wrong, { reportInput: true });
    if (!error) throw new Error('it is valid');
    const twice = new z.ZodError([...error.issues, ...error.issues]);
    const told = problemsOf(twice, ['states']);
    expect(told).toHaveLength(wrong.length);
    expect(told.at(-1)).toEqual({
      path: ['states', 49_999],
      code: 'invalid_type',
      rule: 'must be text',
    });
  });
});
