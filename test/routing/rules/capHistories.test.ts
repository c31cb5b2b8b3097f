import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import { anyLimits, anyMostHeld, History, modelCounting, steps } from './capHistories.js';

describe('counters, across midnight, Monday and the 1st', () => {
  it('match reservations and rows in each window, after each step', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, steps, anyMostHeld, async (limits, history, maxHeld) => {
        const counting = modelCounting(maxHeld);
        const leads = new History(limits);
        for (const step of history) {
          await leads.play(step, counting);
          const state = await counting.state();
          const owed = leads.owed(state);
          for (const { window } of CAP_WINDOWS) {
            const { count, amount } = state[window];
            expect({ window, count, amount }).toEqual({ window, ...owed[window] });
          }
        }
      }),
    );
  });
});
