import { describe, it, expect } from '@jest/globals';
import type { Span } from '../evidence/evidence.js';
import { check } from './check.js';
import { sold } from './endings.js';
import { aCampaign, aRun, rulesOf, T0 } from './stories.js';

/** A lead that reaches its buyer 1,210 ms after `T0`. */
function soldWithin(hours: Span[]) {
  const campaign = aCampaign();
  campaign.buyers.forEach((link) => (link.hours = hours));
  const run = aRun([campaign]);
  sold(run);
  return run;
}
const ARRIVED = T0 + 1_210;

describe('sent_while_closed', () => {
  it('is silent within hours, and reports a request before the first of them', () => {
    const from = (at: number): Span[] => [{ from: at, to: T0 + 60_000 }];
    expect(rulesOf(soldWithin(from(ARRIVED)).finish())).toEqual([]);
    const [violation, ...others] = check(soldWithin(from(ARRIVED + 1)).finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('sent_while_closed');
    expect(violation?.what).toBe(
      'request 1 for lead lead1 reached buyer holding, which had not opened yet',
    );
  });

  it.each([
    [10_000, []],
    [10_001, ['sent_while_closed']],
  ])('allows for the time from the choice to the request: %s ms after the end', (ms, rules) => {
    expect(rulesOf(soldWithin([{ from: 0, to: ARRIVED - ms }]).finish())).toEqual(rules);
  });

  it('allows for a process that stood still in between', () => {
    const run = soldWithin([{ from: 0, to: ARRIVED - 16_000 }]);
    const stop = run.fault({ type: 'stop', at: ARRIVED - 8_000, ended: ARRIVED - 2_000 });
    expect(rulesOf(run.finish())).toEqual([]);
    stop.at += 1;
    expect(rulesOf(run.finish())).toEqual(['sent_while_closed']);
  });
});
