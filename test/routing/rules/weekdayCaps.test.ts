import { describe, expect, it } from '@jest/globals';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { windowKeys, type WindowKeys } from '../../../src/fields/windowKeys.js';
import { emptyCapState, findFullCap, type CapCandidate } from '../../../src/routing/rules/caps.js';
import { grant } from './capModel.js';

const [saturday, sunday, monday, tuesday] = ['21', '22', '23', '24'].map((day) =>
  windowKeys(new Date(`2026-11-${day}T02:00:00Z`), 'Australia/Lord_Howe'),
) as [WindowKeys, WindowKeys, WindowKeys, WindowKeys];
const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));

describe('caps of weekdays', () => {
  const limits = { daily_cap: 2, daily_caps: { sat: 1, mon: 3, tue: null } };
  const all = asking('a', 'b', 'c', 'd');
  const grantedOn = (keys: WindowKeys, own: CapLimits = limits) =>
    grant(emptyCapState(), own, keys, all).granted.length;

  it('hold in the place of the daily cap, which holds on the other days', () => {
    expect([saturday, sunday, monday, tuesday].map((day) => grantedOn(day))).toEqual([1, 2, 3, 2]);
    const without = { daily_caps: { sat: 1 } };
    expect([saturday, sunday].map((day) => grantedOn(day, without))).toEqual([1, 4]);
    expect(grantedOn(saturday, { daily_caps: { sat: 0 } })).toBe(0);
    expect(grantedOn(saturday, { daily_cap: 0, daily_caps: { sat: 2 } })).toBe(2);
  });

  it('are those of the open day, also for a clock that is behind', () => {
    const opened = grant(emptyCapState(), limits, sunday, asking('x')).state;
    const late = grant(opened, limits, saturday, all);
    expect(late.granted).toEqual(['a']);
    expect(findFullCap(late.state, limits, { amount: 10 })).toEqual({
      limit: 'daily_cap',
      allowed: 2,
      counted: 2,
      asks: 1,
    });
    expect(grant(late.state, limits, monday, asking('e', 'f', 'g', 'h')).granted).toHaveLength(3);
  });
});
