import { describe, expect, it } from '@jest/globals';
import { consequenceOf, goneOn, withoutKey } from '../../../src/routing/rules/consequence.js';
import { aBuyer, aWebhook } from '../../support/builders.js';

const buyer = (
  honours_idempotency_key: boolean,
  on_unknown: 'hold' | 'assume_accepted' | 'fail_over',
) => aBuyer({ delivery: aWebhook({ honours_idempotency_key, on_unknown }) });

describe('what an answer means for the lead', () => {
  it.each([
    ['accepted', false, 'sold'],
    ['accepted', true, 'sold'],
    ['rejected', false, 'next'],
    ['rejected', true, 'next'],
    ['not_taken', false, 'next'],
    ['not_taken', true, 'waits'],
  ] as const)('%s, by a buyer that it has waited for: %s: it is %s', (result, again, means) => {
    for (const honours of [true, false])
      expect(consequenceOf(result, buyer(honours, 'assume_accepted'), again)).toBe(means);
  });

  it.each([
    [true, 'hold', 'waits'],
    [true, 'assume_accepted', 'waits'],
    [true, 'fail_over', 'waits'],
    [false, 'hold', 'waits'],
    [false, 'assume_accepted', 'sold'],
    [false, 'fail_over', 'next'],
  ] as const)(
    'no answer, with a key that is honoured: %s, and policy %s: it is %s',
    (honours, policy, means) => {
      expect(consequenceOf('unknown', buyer(honours, policy), false)).toBe(means);
      expect(consequenceOf('unknown', buyer(honours, policy), true)).toBe(means);
    },
  );
});

describe('terms with another policy', () => {
  const terms = buyer(true, 'hold');

  it('do not send an unanswered request again', () => {
    expect(withoutKey(terms)).toEqual({
      ...terms,
      delivery: { ...terms.delivery, honours_idempotency_key: false },
    });
  });

  it('have gone on to the next buyer', () => {
    expect(goneOn(terms)).toEqual({
      ...terms,
      delivery: { ...terms.delivery, honours_idempotency_key: false, on_unknown: 'fail_over' },
    });
  });
});
