import { describe, expect, it } from '@jest/globals';
import { workUntilDeadline } from '../../src/lib/workUntilDeadline.js';

describe('work until a deadline', () => {
  const clockOf = (stepMs: number) => {
    let ms = 0;
    return { monotonic: () => (ms += stepMs) };
  };

  it('goes on after an item that fails, and reports that item', async () => {
    const failed: [number, unknown][] = [];
    const error = new Error('the rows cannot be read');
    const mended = await workUntilDeadline([1, 2, 3], {
      clock: clockOf(1),
      repair: (one) => (one === 1 ? Promise.reject(error) : Promise.resolve(one)),
      failed: (one, reason) => Promise.resolve(failed.push([one, reason])),
    });
    expect(mended).toBe(5);
    expect(failed).toEqual([[1, error]]);
  });

  it('begins no item after the deadline', async () => {
    const begun: number[] = [];
    await workUntilDeadline([1, 2, 3, 4], {
      clock: clockOf(100),
      runMs: 250,
      repair: (one) => Promise.resolve(begun.push(one)),
      failed: () => Promise.resolve(),
    });
    expect(begun).toEqual([1, 2]);
  });
});
