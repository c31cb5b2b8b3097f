/** Why a buyer did not bid, in sentences. */
import { describe, expect, it } from '@jest/globals';
import { NO_BID_REASONS, noBidText } from '../../../src/pings/rules/noBidText.js';
import { LEFT_OUT_REASONS } from '../../../src/routing/explain/explainLeftOut.js';

const textOf = (reason: string, detail: Record<string, unknown> = {}) =>
  noBidText({ reason, detail }, 'USD');

describe('a missing bid', () => {
  it.each([
    ['late', {}, 'It did not answer in time.'],
    ['http_503', {}, 'It answered with HTTP 503.'],
    [
      'below_min_bid',
      { bid: 4.5, min_bid: 5 },
      'Its bid of 4.5 USD is below the lowest bid of 5 USD.',
    ],
    [
      'buyer_cap',
      { limit: 'day_budget', allowed: 100, counted: 95 },
      'A cap of the buyer was full: 95 of 100 (day budget).',
    ],
    [
      'buyer_cap',
      { limit: 'hour', allowed: 3, counted: 3 },
      'A cap of the buyer was full: 3 of 3 (hour cap).',
    ],
    ['state_not_served', { served: ['NY', 'TX'] }, 'It does not serve this state, only NY, TX.'],
    [
      'filtered',
      { failures: [{ field: 'age' }, { field: 'age' }, {}] },
      'Its filters refuse the ping: age.',
    ],
    ['filtered', { failures: 'none' }, 'Its filters refuse the ping.'],
    ['ping_cap', { daily_ping_cap: 40 }, 'It had had its 40 pings of the day.'],
    ['of_a_later_release', {}, 'It did not bid: of_a_later_release.'],
  ])('of %s %j is explained', (reason, detail, text) => {
    expect(textOf(reason, detail)).toBe(text);
  });

  it('has a sentence for every reason that a ping can have', () => {
    // These apply to leads only.
    const ofLeads = ['had_it', 'no_bid', 'not_picked', 'bids_live'];
    const reasons = LEFT_OUT_REASONS.filter((reason) => !ofLeads.includes(reason));
    expect(NO_BID_REASONS).toEqual(expect.arrayContaining(reasons));
    for (const reason of NO_BID_REASONS) {
      expect(textOf(reason)).toMatch(/^[A-Z].*[.]$/);
      expect(textOf(reason)).not.toMatch(/undefined|null|NaN/);
    }
  });
});
