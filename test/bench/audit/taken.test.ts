import { describe, expect, it } from '@jest/globals';
import { rememberTaken } from './taken.js';

describe('the leads that a buyer accepted', () => {
  it('are right when each arrived once, at the right buyer', () => {
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

  it('report a lead that never arrived', () => {
    expect(rememberTaken().differing([['lead-1', ['a']]])).toEqual([['lead-1', {}]]);
  });

  it('report a lead that arrived at another buyer', () => {
    const taken = rememberTaken();
    taken.take('lead-1', 'lead-1:b');
    expect(taken.differing([['lead-1', ['a']]])).toEqual([['lead-1', { b: 1 }]]);
    expect(taken.differing([['lead-1', []]])).toEqual([['lead-1', { b: 1 }]]);
  });

  it('report how often a lead arrived at each buyer, and count it once for each', () => {
    const taken = rememberTaken();
    for (const key of ['lead-1:a', 'lead-1:a', 'lead-1:b', 'lead-1:a']) taken.take('lead-1', key);
    expect(taken.differing([['lead-1', ['a', 'b']]])).toEqual([['lead-1', { a: 3, b: 1 }]]);
    expect(taken.totals()).toEqual({ deliveries: 4, leads: 1, byBuyer: { a: 1, b: 1 } });
  });

  it('are right when a lead was sold twice and arrived once at each buyer', () => {
    const taken = rememberTaken();
    taken.take('lead-1', 'lead-1:a');
    taken.take('lead-1', 'lead-1:b');
    expect(taken.differing([['lead-1', ['b', 'a']]])).toEqual([]);
  });
});
