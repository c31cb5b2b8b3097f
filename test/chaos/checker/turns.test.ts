import { describe, it, expect } from '@jest/globals';
import { check } from './check.js';
import { sold } from './endings.js';
import { aRun, rulesOf, type StoryRun } from './stories.js';

/** A lead whose trail says whose turn it was, and when each had had its latest. */
function withTurn(run: StoryRun, buyer_id: string, last: Record<string, number>): void {
  const { lead } = sold(run);
  const at = lead.created_at;
  lead.trail.push({ at, step: 'routing', result: 'turn', buyer_id, detail: { last } });
}

describe('turn_out_of_order', () => {
  it('is silent when the buyer that has waited longest is next', () => {
    const run = aRun();
    withTurn(run, 'a', { a: 0, b: 0 });
    withTurn(run, 'b', { a: 1, b: 0 });
    withTurn(run, 'a', { a: 1, b: 2 });
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('is silent about buyers that were passed over in a cooldown, and where all are in one', () => {
    const run = aRun();
    withTurn(run, 'a', { a: 3, b: 2 });
    const [first] = run.finish().record.leads;
    const at = first?.created_at ?? new Date();
    const resting = { at, step: 'routing' as const, result: 'skipped', reason: 'breaker_open' };
    first?.trail.push({ ...resting, buyer_id: 'b' });
    for (let n = 0; n < 2; n++) {
      const { lead } = sold(run);
      const detail = { last: { a: 4, b: 2 } };
      lead.trail.push({ at, step: 'routing', result: 'turn', reason: 'all_resting', detail });
    }
    expect(rulesOf(run.finish())).toEqual([]);
  });

  it('reports when another had waited longer, or the turn was between others', () => {
    const run = aRun();
    withTurn(run, 'a', { a: 3, b: 2 });
    withTurn(run, 'c', { a: 4, b: 2 });
    expect(check(run.finish()).map(({ rule, what }) => `${rule}: ${what}`)).toEqual([
      'turn_out_of_order: lead lead1 was the turn of buyer a, although buyer b had waited longer ({"a":3,"b":2})',
      'turn_out_of_order: lead lead2 was the turn of buyer c, which is not among those that the turn was between ({"a":4,"b":2})',
    ]);
  });
});

describe('turn_taken_twice', () => {
  it('reports when two leads met a buyer with the same latest turn', () => {
    const run = aRun();
    withTurn(run, 'a', { a: 1, b: 2 });
    withTurn(run, 'a', { a: 1, b: 3 });
    const [violation, ...others] = check(run.finish());
    expect(others).toEqual([]);
    expect(violation?.rule).toBe('turn_taken_twice');
    expect(violation?.what).toBe(
      'leads lead1 and lead2 took the same turn of buyer a: its latest had been 1',
    );
  });

  it('is silent when one lead says it twice, or when they are of two campaigns', () => {
    const run = aRun();
    withTurn(run, 'a', { a: 1, b: 2 });
    const [lead] = run.evidence.record.leads;
    lead?.trail.push(...lead.trail.slice(-1));
    expect(rulesOf(run.finish())).toEqual([]);
  });
});
