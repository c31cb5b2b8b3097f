import { describe, expect, it } from '@jest/globals';
import type { HistoryEvent } from '../evidence/evidence.js';
import { median, percentile, waitsOf, windowsOf } from './latency.js';

const asked = (op: number, intent: number, at: number, campaign_id = 'c'): HistoryEvent => ({
  kind: 'invoked',
  op,
  intent,
  at,
  time: 1,
  campaign_id,
  supplier_id: 's',
  idempotency_key: null,
  phone: '+12015550100',
  email: 'a@example.com',
});
const told = (op: number, at: number, outcome: 'ok' | 'fail' = 'ok'): HistoryEvent => ({
  kind: 'completed',
  op,
  at,
  outcome,
  answer: outcome === 'ok' ? 'delivered' : 'not_taken',
  status: null,
  lead_id: null,
  buyer_id: null,
  duplicate_of: null,
  replayed: false,
});

describe('how long suppliers waited', () => {
  it('counts from the first sending of a lead until it is acknowledged', () => {
    const history = [asked(1, 1, 100), told(1, 200, 'fail'), asked(2, 1, 1_200), told(2, 1_250)];
    expect(waitsOf(history, 'c')).toEqual([{ at: 100, ms: 1_150 }]);
  });

  it('is infinite for a lead that was never acknowledged', () => {
    expect(waitsOf([asked(1, 1, 100)], 'c')).toEqual([{ at: 100, ms: Infinity }]);
  });

  it('leaves other campaigns out', () => {
    expect(waitsOf([asked(1, 1, 100, 'other'), told(1, 150)], 'c')).toEqual([]);
  });

  it('has a percentile for each whole window that had leads', () => {
    const waits = [
      { at: 0, ms: 5 },
      { at: 99, ms: 7 },
      { at: 100, ms: 1 },
      { at: 310, ms: 900 },
      { at: 399, ms: 2 },
    ];
    expect(windowsOf(waits, { from: 0, to: 390 }, 100)).toEqual([7, 1]);
    expect(windowsOf(waits, { from: 0, to: 400 }, 100)).toEqual([7, 1, 900]);
  });

  it('is the value that the percentage of samples does not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([3], 0.99)).toBe(3);
    expect(percentile([], 0.99)).toBeNaN();
  });

  it('is the middle value, or the mean of the two in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 9, 5, 7])).toBe(6);
    expect(median([])).toBeNaN();
  });
});
