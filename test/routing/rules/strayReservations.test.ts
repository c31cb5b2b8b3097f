import { describe, expect, it } from '@jest/globals';
import { CAP_WINDOWS } from '../../../src/account/rules/capLimits.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';
import { emptyCapState, isStray, type CapState } from '../../../src/routing/rules/caps.js';
import { grant } from './capModel.js';

const saturday: WindowKeys = {
  hour: '2026-11-21T14:00:00Z',
  day: '2026-11-21',
  week: 'W2026-11-16',
  month: '2026-11',
};
const A = { hold_id: 'a', fence: 1, amount: 10 };
const counts = (state: CapState) => CAP_WINDOWS.map(({ window }) => state[window].count);

describe('a stray reservation', () => {
  it.each([
    [{ fence: 2, takers: [1, 2] }, 3, true],
    [{ fence: 2, takers: [1, 2] }, 1, false],
    [{ fence: 2, takers: [1, 2], of_row: true }, 3, false],
    [{ fence: 2, takers: [1, 2] }, undefined, false],
    [{ of_row: false }, 3, false],
    [{ fence: 2, takers: null }, 3, false],
  ])('%j with a row counted at %s: %s', (hold, row_fence, stray) => {
    expect(isStray(hold, { row_fence })).toBe(stray);
  });

  it('is released before its row is counted anew, and only then', () => {
    const { state } = grant(emptyCapState(), {}, saturday, [A]);
    const later = { ...A, fence: 3, row_fence: 2 };
    const anew = grant(state, {}, saturday, [{ ...later, counted: saturday }]).state;
    expect(counts(anew)).toEqual([0, 0, 0, 0, 0]);
    expect(anew.held).toMatchObject([{ fence: 3, of_row: true, takers: [3] }]);
    const taken = grant(state, {}, saturday, [later]).state;
    expect(taken.held).toMatchObject([{ fence: 3, of_row: false, takers: [1, 3] }]);
  });
});
