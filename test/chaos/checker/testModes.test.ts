import { describe, it, expect } from '@jest/globals';
import { sold } from './endings.js';
import { aCampaign, aRun, rulesOf, T0 } from './stories.js';

/** When the lead reaches its buyer. */
const ARRIVED = T0 + 1_210;

/** A lead that is sold to `buyer`, whose mode was test in this time. */
function soldWhile({
  at,
  ended,
  buyer = 'holding',
}: {
  at: number;
  ended: number;
  buyer?: string;
}) {
  const run = aRun([aCampaign()]);
  run.fault({ type: 'test_mode', at, ended, targets: [buyer] });
  sold(run);
  return run;
}

describe('sent_in_test_mode', () => {
  it.each([
    [10_000, []],
    [10_001, ['sent_in_test_mode']],
  ])('allows for a run that had begun: %s ms after the change', (ms, rules) => {
    const run = soldWhile({ at: ARRIVED - ms, ended: ARRIVED + 1 });
    expect(rulesOf(run.finish())).toEqual(rules);
  });

  it('is silent when the buyer is live again, and about other buyers', () => {
    const at = ARRIVED - 30_000;
    expect(rulesOf(soldWhile({ at, ended: ARRIVED }).finish())).toEqual([]);
    const run = soldWhile({ at, ended: ARRIVED + 1, buyer: 'assuming' });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('allows for a process that stood still, or was killed around the change', () => {
    const change = { at: ARRIVED - 16_000, ended: ARRIVED + 1 };
    const stopped = soldWhile(change);
    stopped.fault({ type: 'stop', at: ARRIVED - 8_000, ended: ARRIVED - 2_000 });
    expect(rulesOf(stopped.finish())).toEqual([]);
    const killed = soldWhile(change);
    killed.fault({ type: 'kill', at: change.at + 5_000, targets: ['worker'] });
    expect(rulesOf(killed.finish())).toEqual([]);
  });
});
