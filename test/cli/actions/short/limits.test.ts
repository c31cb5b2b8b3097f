import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatLimits, parseLimits } from '../../../../cli/actions/short/caps.js';
import { CAP_WINDOWS } from '../../../../src/account/rules/capLimits.js';
import { checkCaps } from '../../../../src/account/capsSchema.js';
import { WEEKDAYS } from '../../../../src/fields/days.js';

describe('caps and budgets in short', () => {
  it.each([
    ['daily=50', 'cap', { daily_cap: 50 }],
    ['Daily=50, hourly=5 ,total=none', 'cap', { daily_cap: 50, hourly_cap: 5, total_cap: null }],
    ['daily=50,sun=0,mon=null', 'cap', { daily_cap: 50, daily_caps: { sun: 0, mon: null } }],
    ['monthly=9000.50', 'budget', { monthly_budget: 9_000.5 }],
  ] as const)('%s as a %s', (words, kind, expected) => {
    expect(parseLimits(words, kind)).toEqual(expected);
  });

  it.each([
    ['', 'cap', 0, '"" is no limit: write daily=50'],
    ['50', 'cap', 0, '"50" is no limit: write daily=50'],
    ['daily', 'budget', 0, '"daily" is no limit: write daily=500'],
    ['hourly=5,dayly=50', 'cap', 9, '"dayly" is no window of a cap. Did you mean daily?'],
    ['sun=5', 'budget', 0, '"sun" is no window of a budget.'],
    ['daily=5.5', 'cap', 6, '"5.5" is not a whole number of leads'],
    ['daily=-5', 'cap', 6, '"-5" is not a whole number'],
    ['daily=1e3', 'budget', 6, "is not an amount in the account's currency"],
    ['daily=5,DAILY=6', 'cap', 8, '"DAILY" is there twice'],
  ] as const)('%j as a %s is refused at character %d', (words, kind, at, message) => {
    expect(() => parseLimits(words, kind)).toThrow(
      expect.objectContaining({ at, message: expect.stringContaining(message) }),
    );
  });

  it.each(['cap', 'budget'] as const)('as %ss are the same when written and read again', (kind) => {
    const limit = fc.option(
      kind === 'cap' ? fc.nat(1_000_000_000) : fc.nat().map((cents) => cents / 100),
    );
    const windows = fc.record(Object.fromEntries(CAP_WINDOWS.map((one) => [one[kind], limit])), {
      requiredKeys: [],
    });
    const days = fc.record(Object.fromEntries(WEEKDAYS.map((day) => [day, limit])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(windows, days, (given, daily_caps) => {
        const hasDays = kind === 'cap' && Object.keys(daily_caps).length > 0;
        const limits = hasDays ? { ...given, daily_caps } : given;
        if (Object.keys(limits).length === 0) return;
        expect(parseLimits(formatLimits(limits, kind), kind)).toEqual(limits);
        expect(() => checkCaps(limits)).not.toThrow();
      }),
    );
  });
});
