import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { inRounds } from './rounds.js';

const A_MINUTE_MS = 60_000;

describe('rounds', () => {
  it('end with the first that is enough', async () => {
    const begun: number[] = [];
    const rounds = await inRounds({
      round: (nth) => Promise.resolve(void begun.push(nth)),
      isEnough: () => Promise.resolve(begun.length === 3),
      withinMs: A_MINUTE_MS,
    });
    expect(begun).toEqual([1, 2, 3]);
    expect(rounds).toBe(3);
  });

  it.each([0, 50])(
    'begin no more once %s ms are over, whatever they have met',
    async (withinMs) => {
      const rounds = await inRounds({
        round: () => delay(withinMs + 10),
        isEnough: () => Promise.resolve(false),
        withinMs,
      });
      expect(rounds).toBe(1);
    },
  );
});
