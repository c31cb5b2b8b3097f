import { describe, expect, it } from '@jest/globals';
import { rememberTaken } from './taken.js';

describe('what a buyer has taken', () => {
  it('has nothing to say of leads that each came once, to whom they should', () => {
    const taken = rememberTaken();
    taken.take('lead-1', 'lead-1:a');
    taken.take('lead-2', 'lead-2:b');
    const expected = [
      ['lead-1', ['a']],
      ['lead-2', ['b']],
      ['lead-3', []],
    ] as const;
    expect(taken.differing(expected)).toEqual([]);
    expect(taken.totals()).toEqual({ deliveries: 2, leads: 2, byBuyer: { a: 1, b: 1 } });
  });

  it('tells of a lead that never came', () => {
    expect(rememberTaken().differing([['lead-1', ['a']]])).toEqual([['lead-1', {}]]);
  });

  it('tells of a lead that came to another buyer', () => {
    const taken = rememberTaken();
    taken.take('lead-1', 'lead-1:b');
    expect(taken.differing([['lead-1', ['a']]])).toEqual([['lead-1', { b: 1 }]]);
    expect(taken.differing([['lead-1', []]])).toEqual([['lead-1', { b: 1 }]]);
  });

  it('tells how often a lead came to each, and counts it once with each', () => {
    const taken = rememberTaken();
    for (const key of ['lead-1:a', 'lead-1:a', 'lead-1:b', 'lead-1:a']) taken.take('lead-1', key);
    expect(taken.differing([['lead-1', ['a', 'b']]])).toEqual([['lead-1', { a: 3, b: 1 }]]);
    expect(taken.totals()).toEqual({ deliveries: 4, leads: 1, byBuyer: { a: 1, b: 1 } });
  });

  it('has nothing to say of a lead that was sold twice, and came to each once', () => {
    const taken = rememberTaken();
    taken.take('lead-1', 'lead-1:a');
    taken.take('lead-1', 'lead-1:b');
    expect(taken.differing([['lead-1', ['b', 'a']]])).toEqual([]);
  });
});
