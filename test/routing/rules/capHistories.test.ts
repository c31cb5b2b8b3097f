import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CAP_WINDOWS, limitsOn } from '../../../src/account/rules/capLimits.js';
import {
  anyLimits,
  anyMostHeld,
  History,
  modelCounting,
  steps,
  type Step,
} from './capHistories.js';

/** Every sale costs the same: a price that a buyer names in its answer may be dearer than what was reserved. */
function atOnePrice(step: Step): Step {
  if (step.kind === 'run') return { ...step, amount: 25_000_000, booked: undefined };
  return 'amount' in step ? { ...step, amount: 25_000_000 } : step;
}

describe('counters, across the full hour, midnight, Monday and the 1st', () => {
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

  it('pass no limit, that of a weekday on its day, though clocks are behind and runs die', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, steps, anyMostHeld, async (limits, history, maxHeld) => {
        const counting = modelCounting(maxHeld);
        const leads = new History(limits);
        for (const step of history.map(atOnePrice)) {
          await leads.play(step, counting);
          const state = await counting.state();
          const today = limitsOn(limits, state.day.key);
          for (const { window, cap, budget } of CAP_WINDOWS) {
            expect(state[window].count).toBeLessThanOrEqual(today[cap] ?? Infinity);
            expect(state[window].amount).toBeLessThanOrEqual(today[budget] ?? Infinity);
          }
        }
      }),
    );
  });
});
