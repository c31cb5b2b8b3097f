/** When a supplier counts as silent. */
import { describe, expect, it } from '@jest/globals';
import { silentSince } from '../../../src/reports/rules/silence.js';

const NOW = new Date('2026-11-21T02:00:00Z');
const hoursAgo = (hours: number) => new Date(Number(NOW) - hours * 3_600_000);

describe('a supplier', () => {
  it.each([
    // Every day one lead: silent after three days.
    [7, 73, true],
    [7, 71, false],
    // Every hour: after three hours.
    [168, 4, true],
    [168, 2.9, false],
    // Every minute: not for a pause of less than an hour.
    [10_080, 0.9, false],
    [10_080, 1.1, true],
  ])('that sent %i leads in a week is silent %d hours after the last: %s', (leads, hours, is) => {
    const last = hoursAgo(hours);
    expect(silentSince({ leads, days: 7 }, last, NOW)).toEqual(is ? last : null);
  });

  it('that sent nothing in these days, or ever, is not silent', () => {
    expect(silentSince({ leads: 0, days: 7 }, hoursAgo(900), NOW)).toBeNull();
    expect(silentSince({ leads: 9, days: 7 }, undefined, NOW)).toBeNull();
  });
});
