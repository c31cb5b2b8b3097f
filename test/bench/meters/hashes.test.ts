import { expect, it } from '@jest/globals';
import { hashesPerSecond } from './hashes.js';

it('counts what one processor computes in the given time', () => {
  const from = performance.now();
  const perSecond = hashesPerSecond(20);
  expect(performance.now() - from).toBeGreaterThanOrEqual(20);
  expect(perSecond).toBeGreaterThan(1_000);
});
