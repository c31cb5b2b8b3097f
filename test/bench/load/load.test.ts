import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openLoop, percentile } from './load.js';

const PER_SECOND = 100;
const HELD_UP_MS = 300;
const LONG_MS = 900;

/** Blocks this process. */
function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('an open loop', () => {
  it('starts all requests that are due, and records the kind of each', async () => {
    const seen: number[] = [];
    const load = await openLoop(PER_SECOND, 0.2, 0.1, (n) => {
      seen.push(n);
      return Promise.resolve(n % 2 === 0 ? 'even' : 'odd');
    });
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(load.samples).toHaveLength(20);
    expect(load.samples.filter(({ kind }) => kind === 'even')).toHaveLength(10);
  });

  it('measures a request until its answer', async () => {
    const { samples } = await openLoop(PER_SECOND, 0.2, 0, () => delay(50, 'done'));
    expect(percentile(samples, 0)).toBeGreaterThanOrEqual(49);
  });

  it('shows the time that requests were late because the generator was held up', async () => {
    const { samples, latestMs } = await openLoop(PER_SECOND, 1, 0, (n) => {
      if (n === 10) holdUp(HELD_UP_MS);
      return Promise.resolve('done');
    });
    expect(samples).toHaveLength(PER_SECOND);
    // One was due every 10 ms meanwhile: some 30 of them waited, 150 ms on average.
    const late = samples.filter(({ ms }) => ms >= HELD_UP_MS / 2);
    expect(late.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...samples.map(({ ms }) => ms))).toBeGreaterThanOrEqual(HELD_UP_MS - 1);
    expect(latestMs).toBeGreaterThanOrEqual(HELD_UP_MS - 1_000 / PER_SECOND - 2);
  });

  it('counts nothing of the warm-up, not even that it was late', async () => {
    const { samples, latestMs } = await openLoop(PER_SECOND, 0.2, 1.2, (n) => {
      if (n === 0) holdUp(LONG_MS);
      return Promise.resolve('done');
    });
    expect(samples).toHaveLength(20);
    expect(latestMs).toBeLessThan(LONG_MS - 100);
  });
});
