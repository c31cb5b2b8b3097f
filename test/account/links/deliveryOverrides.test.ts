import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkDelivery, type DeliveryInput } from '../../../src/account/buyers/delivery.js';
import {
  checkOverrides,
  mergeDelivery,
  overriddenBy,
  overridesOf,
} from '../../../src/account/links/deliveryOverrides.js';
import type { DeliveryOverrides } from '../../../src/account/rules/deliverySettings.js';
import { AppError } from '../../../src/lib/errors.js';
import { everything } from '../buyers/deliveryProblems.js';

const url = 'https://buyer.example/leads';
const other = 'https://buyer.example/auto';
const OWN = checkDelivery({ url, headers: { 'X-Key': 'one' }, timeout_ms: 900 }, everything);
const MAIL = checkDelivery({ method: 'EMAIL', to: 'a@b.example' }, everything);

const over = (
  input: DeliveryInput | null,
  { own = OWN, current = null }: { own?: typeof OWN; current?: DeliveryOverrides | null } = {},
) => checkOverrides(input, everything, own, current);

function problemsOf(input: object, own = OWN): Record<string, string> {
  try {
    over(input, { own });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = error.extras.field_errors ?? [];
    return Object.fromEntries(faults.map(({ field, message }) => [field, message]));
  }
  return {};
}

describe("overrides of a buyer's delivery", () => {
  it('override only the settings given', () => {
    const said = over({ url: other, on_unknown: 'fail_over' });
    expect(said).toEqual({ method: 'WEBHOOK', url: other, on_unknown: 'fail_over' });
    expect(mergeDelivery(OWN, said)).toEqual({ ...OWN, url: other, on_unknown: 'fail_over' });
    expect(over({ timeout_ms: 700 })).toEqual({ timeout_ms: 700 });
  });

  it('are merged with existing ones; null removes one, and null for the whole removes all', () => {
    const current = over({ url: other, timeout_ms: 700 });
    expect(over({ format: 'form' }, { current })).toEqual({
      method: 'WEBHOOK',
      url: other,
      timeout_ms: 700,
      format: 'form',
    });
    expect(over({ url: null }, { current })).toEqual({ timeout_ms: 700 });
    expect(over({ url: null, timeout_ms: null }, { current })).toBeNull();
    expect(over(null, { current })).toBeNull();
    expect(over({}, {})).toBeNull();
  });

  it('of another method start from its defaults, and do not inherit honours_idempotency_key', () => {
    const own = checkDelivery(
      { url, honours_idempotency_key: true, max_age_ms: 5_000, max_concurrent: 3 },
      everything,
    );
    const said = over({ method: 'EMAIL', to: 'desk@b.example' }, { own });
    expect(said).toEqual({ method: 'EMAIL', to: ['desk@b.example'] });
    const defaults = checkDelivery({ method: 'EMAIL', to: 'desk@b.example' }, everything);
    expect(mergeDelivery(own, said)).toEqual({ ...defaults, max_age_ms: 5_000, max_concurrent: 3 });
    const sheet = checkDelivery(
      { method: 'GOOGLE_SHEET', spreadsheet_id: 'x'.repeat(12) },
      everything,
    );
    const posted = mergeDelivery(sheet, over({ url: other }, { own: sheet }));
    expect([sheet.honours_idempotency_key, posted.honours_idempotency_key]).toEqual([true, false]);
  });

  it('of one method are removed when another is set', () => {
    const current = over({ url: other, timeout_ms: 700 });
    expect(over({ method: 'STORE' }, { current })).toEqual({ method: 'STORE', timeout_ms: 700 });
    expect(over({ method: null, url: null }, { own: MAIL, current })).toEqual({ timeout_ms: 700 });
  });

  it("keep the value of a hidden header, whether it is an override or the buyer's", () => {
    expect(over({ headers: { 'x-key': '[hidden]', 'X-New': 'two' } })).toMatchObject({
      headers: { 'x-key': 'one', 'X-New': 'two' },
    });
    const current = over({ headers: { 'X-Key': 'three' } });
    expect(over({ headers: { 'X-Key': '[hidden]' } }, { current })).toMatchObject({
      headers: { 'X-Key': 'three' },
    });
    expect(problemsOf({ headers: { 'X-No': '[hidden]' } })).toHaveProperty(['delivery.headers']);
  });

  it.each([
    [{ url: 'ftp://x', headers: {} }, 'delivery.url', 'must begin with https://'],
    [{ subject: 'x' }, 'delivery.subject', 'is not a setting of the method WEBHOOK'],
    [{ template: { a: '{{emails}}' } }, 'delivery.template', 'Did you mean email?'],
    [{ method: 'EMAIL' }, 'delivery.to', 'must be 1 to 20 addresses'],
    [{ format: 'form', template: { a: { b: 1 } } }, 'delivery.template', 'of a form must be'],
    [{ max_concurrent: 5 }, 'delivery.max_concurrent', 'a buyer has one queue for all of them'],
    [{ max_per_second: 5 }, 'delivery.max_per_second', 'Set it with set_buyer_delivery'],
  ])('refuse %j', (input, field, message) => {
    expect(problemsOf(input)).toEqual({ [field]: expect.stringContaining(message) });
  });

  const inputs = fc.record(
    {
      url: fc.constantFrom(other, null),
      method: fc.constantFrom('WEBHOOK' as const, 'STORE' as const, null),
      headers: fc.constantFrom({ A: 'b' }, null),
      timeout_ms: fc.constantFrom(700, null),
      on_unknown: fc.constantFrom('fail_over' as const, null),
    },
    { requiredKeys: [] },
  );

  it('can be read back from the terms of a plan, whatever is overridden', () => {
    fc.assert(
      fc.property(inputs, fc.constantFrom(OWN, MAIL), (input, own) => {
        let said: DeliveryOverrides | null;
        try {
          said = over(input, { own });
        } catch (error) {
          if (error instanceof AppError) return;
          throw error;
        }
        const delivery = mergeDelivery(own, said);
        expect(overridesOf({ delivery, ...overriddenBy(said) })).toEqual(said);
        // Settings that complete the override are complete themselves: the check adds nothing.
        const { method, ...others } = { ...delivery, checked: undefined };
        expect(checkDelivery({ method, ...others }, everything)).toEqual(delivery);
      }),
    );
  });
});
