import { describe, expect, it } from '@jest/globals';
import { createPace, BATCH_SIZE } from '../../src/lib/pace.js';

/** A clock on which each step of the work takes `stepMs`, and a pause as long as requested. */
function timed(stepMs: number, stopping = () => false) {
  let now = 0;
  const rests: number[] = [];
  const pace = createPace({ clock: { monotonic: () => now }, stopping }, (ms) => {
    rests.push(ms);
    now += ms;
    return Promise.resolve();
  });
  const work = async (steps: number): Promise<void> => {
    for (let n = 0; n < steps; n++) {
      now += stepMs;
      await pace.step();
    }
  };
  return { rests, pace, work };
}

describe('comparing', () => {
  it('uses a tenth of the time: after each slice it pauses nine times as long', async () => {
    const { rests, work } = timed(0.1);
    await work(BATCH_SIZE - 1);
    expect(rests).toEqual([]);
    await work(1 + BATCH_SIZE);
    expect(rests.map(Math.round)).toEqual([450, 450]);
  });

  it('pauses at most eight seconds in total, so that a large day ends', async () => {
    const { rests, work } = timed(1);
    await work(10 * BATCH_SIZE);
    expect(rests).toEqual([4_500, 3_500]);
  });

  it('measures its work without the pauses, each time from zero', async () => {
    const { pace, work } = timed(0.5);
    await work(3 * BATCH_SIZE);
    expect(pace.workedMs()).toBe(750);
    await work(10);
    expect(pace.workedMs()).toBe(5);
  });

  it('stops pausing when the process stops', async () => {
    const { rests, work } = timed(1, () => rests.length === 1);
    await work(3 * BATCH_SIZE);
    expect(rests).toHaveLength(1);
  });
});
