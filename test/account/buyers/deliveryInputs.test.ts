/** For any input: what is published, accepted and stored of a delivery agrees. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { checkDelivery } from '../../../src/account/buyers/delivery.js';
import { DeliveryPatch, METHOD_NAMES } from '../../../src/account/buyers/deliverySchema.js';
import type { DeliveryMethod } from '../../../src/account/rules/deliverySettings.js';
import { AppError } from '../../../src/lib/errors.js';
import { everything } from './deliveryProblems.js';

const SECRET = 'key-Tq7ü';
const either = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: good }, fc.constantFrom(null, '', 5, -1, true, {}, ['a']));
const rule = fc.constantFrom(
  { status: [200, '3xx'] },
  [{ path: 'a', equals: 1 }],
  { any: [{ text_contains: 'ok' }] },
  { equals: 1 },
);
const input = fc.record(
  {
    method: fc.constantFrom(...METHOD_NAMES, null),
    timeout_ms: either(fc.integer({ min: 99, max: 30_001 })),
    max_per_second: either(fc.double({ min: 0, max: 1_001, noNaN: true })),
    on_unknown: either(fc.constantFrom('hold', 'assume_accepted', 'fail_over')),
    url: either(fc.constantFrom('https://buyer.example/leads', 'ftp://x', `no/${SECRET}`)),
    headers: either(fc.dictionary(fc.constantFrom('X-A', 'x-a', 'Host'), fc.constant(SECRET))),
    format: either(fc.constantFrom('json', 'form', 'text', 'html')),
    template: either(fc.constantFrom({ a: '{{email}}' }, { a: `{{${SECRET}` }, 'a={{email}}')),
    response: either(fc.record({ accept_when: rule, reason_path: fc.constant('a.b') })),
    to: either(fc.constantFrom('a@x.example', ['a@x.example', SECRET])),
    subject: either(fc.constantFrom('For {{first_name}}', `${SECRET}}}`)),
    spreadsheet_id: either(fc.constant('1AbCdEfGhIjKlMnOp')),
    columns: either(fc.constantFrom(['email'], ['zip'])),
  },
  { requiredKeys: ['method'] },
);
type Given = typeof input extends fc.Arbitrary<infer T> ? T : never;
const settingsOf = (given: object) => {
  try {
    return checkDelivery(given, everything);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
};
/** The settings that each method requires. */
const REQUIRED: Record<DeliveryMethod, object> = {
  WEBHOOK: { url: 'https://buyer.example' },
  EMAIL: { to: 'a@x.example' },
  GOOGLE_SHEET: { spreadsheet_id: '1AbCdEfGhIjK' },
  STORE: {},
};
/** The input without the refused settings, plus those that its method requires. */
function repaired(given: Given): object {
  const read = settingsOf(given);
  if (!(read instanceof AppError)) return given;
  const wrong = new Set(read.extras.field_errors?.map(({ field }) => field.split(/[.[]/)[1] ?? ''));
  const left = Object.entries(given).filter(([key]) => !wrong.has(key));
  return { ...REQUIRED[given.method ?? 'WEBHOOK'], ...Object.fromEntries(left) };
}

describe('any settings of a delivery', () => {
  it('are stored as they are read, and match the published schema', () => {
    const taken: DeliveryMethod[] = [];
    fc.assert(
      fc.property(input, (given) => {
        const fixed = repaired(given);
        const stored = settingsOf(fixed);
        if (stored instanceof AppError) return;
        taken.push(stored.method);
        expect(DeliveryPatch.safeParse(fixed).error).toBeUndefined();
        expect(checkDelivery({}, everything, stored)).toEqual(stored);
      }),
    );
    expect(taken.length).toBeGreaterThan(50);
    expect(new Set(taken)).toEqual(new Set(METHOD_NAMES));
  });

  it('are refused with the names of settings, and without their values', () => {
    fc.assert(
      fc.property(input, (given) => {
        const refused = settingsOf(given);
        if (!(refused instanceof AppError)) return;
        const problems = refused.extras.field_errors ?? [];
        expect(problems).not.toHaveLength(0);
        for (const { field, message } of problems) {
          expect(field).toMatch(/^delivery\.\w+/);
          expect(message.startsWith(field)).toBe(true);
          expect(message).not.toContain(SECRET);
        }
      }),
    );
  });
});
