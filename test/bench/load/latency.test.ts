import { expect, it } from '@jest/globals';
import { latencyOf } from './latency.js';

it('percentiles are of all samples, whatever their order', () => {
  const samples = Array.from({ length: 1_000 }, (_, n) => ({ ms: 1_000 - n, kind: 'done' }));
  expect(latencyOf(samples)).toEqual({ p50: 501, p95: 951, p99: 991, max: 1_000 });
});

it('parts of a millisecond are kept: a lone request takes few', () => {
  expect(latencyOf([{ ms: 7.26, kind: 'done' }]).p50).toBe(7.3);
});
