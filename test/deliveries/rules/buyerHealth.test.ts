import { describe, expect, it } from '@jest/globals';
import { buyerFigures, healthResult } from '../../../src/deliveries/rules/buyerHealth.js';
import { aRow } from '../../support/storedRows.js';

describe('how a buyer does', () => {
  it.each([
    [{ state: 'accepted' as const }, 'accepted'],
    [{ state: 'rejected' as const, unanswered: true as const }, 'rejected'],
    [{ state: 'unknown' as const }, 'unanswered'],
    [{ state: 'abandoned' as const }, 'unanswered'],
    [{ state: 'expired' as const, unanswered: true as const, latency_ms: 5 }, 'unanswered'],
    [{ state: 'parked' as const, unanswered: true as const }, 'unanswered'],
    [{ state: 'parked' as const, latency_ms: 5 }, 'failed'],
    [{ state: 'failed' as const, latency_ms: 0 }, 'failed'],
    [{ state: 'parked' as const }, null],
    [{ state: 'expired' as const }, null],
  ])('shows by %j: %s', (row, result) => {
    expect(healthResult(aRow(row))).toBe(result);
  });

  it('is counted by result, with times that were measured', () => {
    const rows = Array.from({ length: 100 }, (_, n) =>
      aRow({ state: n % 4 === 0 ? 'rejected' : 'accepted', latency_ms: 100 - n }),
    );
    expect(buyerFigures([...rows, aRow({ state: 'unknown' }), aRow({ state: 'parked' })])).toEqual({
      accepted: 75,
      rejected: 25,
      failed: 0,
      unanswered: 1,
      measured: 100,
      p50_ms: 50,
      p95_ms: 95,
      p99_ms: 99,
    });
  });

  it('has no times without answers, and one answer has them all', () => {
    expect(buyerFigures([])).toMatchObject({ measured: 0, p50_ms: null, p99_ms: null });
    const one = buyerFigures([aRow({ state: 'accepted', latency_ms: 7 })]);
    expect(one).toMatchObject({ p50_ms: 7, p95_ms: 7, p99_ms: 7 });
  });
});
