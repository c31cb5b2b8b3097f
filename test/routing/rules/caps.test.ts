import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyCapState, findCrowdedOut } from '../../../src/routing/rules/caps.js';
import { adopt, commit, grant, release, withoutReservation } from './capModel.js';
import { CAP_WINDOWS, eachLimit, hasCaps } from '../../../src/account/rules/capLimits.js';
import type { CapCandidate, CapState } from '../../../src/routing/rules/caps.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import type { WindowKeys } from '../../../src/fields/windowKeys.js';

const saturday: WindowKeys = {
  hour: '2026-11-21T14:00:00Z',
  day: '2026-11-21',
  week: 'W2026-11-16',
  month: '2026-11',
};
const sunday: WindowKeys = { ...saturday, hour: '2026-11-22T14:00:00Z', day: '2026-11-22' };
const monday: WindowKeys = {
  hour: '2026-11-23T14:00:00Z',
  day: '2026-11-23',
  week: 'W2026-11-23',
  month: '2026-11',
};
const december: WindowKeys = {
  hour: '2026-12-01T14:00:00Z',
  day: '2026-12-01',
  week: 'W2026-11-30',
  month: '2026-12',
};
const asking = (...ids: string[]): CapCandidate[] =>
  ids.map((hold_id) => ({ hold_id, fence: 1, amount: 10 }));
/** In a later hour of Saturday. */
const evening: WindowKeys = { ...saturday, hour: '2026-11-21T22:00:00Z' };
const A = { hold_id: 'a', fence: 1, amount: 10 };
const counts = (state: CapState) => CAP_WINDOWS.map(({ window }) => state[window].count);

describe('hasCaps', () => {
  it.each([
    [{}, false],
    [{ daily_cap: null, total_budget: null }, false],
    [{ daily_cap: 0 }, true],
    [{ monthly_budget: 5 }, true],
    [{ daily_caps: null }, false],
    [{ daily_caps: { sun: 0 } }, true],
  ] as [CapLimits, boolean][])('of %j is %j', (limits, has) => {
    expect(hasCaps(limits)).toBe(has);
  });
});

describe('grant', () => {
  it('grants in the order of the requests until the cap is full', () => {
    const { state, granted } = grant(
      emptyCapState(),
      { daily_cap: 2 },
      saturday,
      asking('a', 'b', 'c'),
    );
    expect(granted).toEqual(['a', 'b']);
    expect(counts(state)).toEqual([2, 2, 2, 2, 2]);
    expect(state.total).toEqual({ key: 'all', count: 2, amount: 20 });
    expect(state.held).toEqual([
      { hold_id: 'a', fence: 1, amount: 10, leads: 1, keys: saturday, of_row: false, takers: [1] },
      { hold_id: 'b', fence: 1, amount: 10, leads: 1, keys: saturday, of_row: false, takers: [1] },
    ]);
  });

  it('grants no more reservations than one link may hold', () => {
    const { state, granted } = grant(
      emptyCapState(),
      { maxHeld: 2 },
      saturday,
      asking('a', 'b', 'c'),
    );
    expect([granted, state.held.length]).toEqual([['a', 'b'], 2]);
    expect(grant(state, { maxHeld: 2 }, saturday, asking('b')).granted).toEqual(['b']);
  });

  it.each(CAP_WINDOWS)('keeps to the cap and the budget of the $window', ({ cap, budget }) => {
    expect(grant(emptyCapState(), { [cap]: 1 }, saturday, asking('a', 'b')).granted).toEqual(['a']);
    expect(grant(emptyCapState(), { [cap]: 0 }, saturday, asking('a')).granted).toEqual([]);
    expect(
      grant(emptyCapState(), { [budget]: 20 }, saturday, asking('a', 'b', 'c')).granted,
    ).toEqual(['a', 'b']);
    expect(grant(emptyCapState(), { [budget]: 19 }, saturday, asking('a', 'b')).granted).toEqual([
      'a',
    ]);
  });

  it('skips a lead that is too expensive and grants a cheaper one behind it', () => {
    const candidates = [
      { hold_id: 'dear', fence: 1, amount: 30 },
      { hold_id: 'cheap', fence: 1, amount: 20 },
    ];
    expect(grant(emptyCapState(), { daily_budget: 25 }, saturday, candidates).granted).toEqual([
      'cheap',
    ]);
  });

  it('counts without limits too', () => {
    for (const limits of [{}, { daily_cap: null, total_budget: null }])
      expect(counts(grant(emptyCapState(), limits, saturday, asking('a')).state)).toEqual([
        1, 1, 1, 1, 1,
      ]);
  });

  it('rolls each window at its end', () => {
    const full = grant(emptyCapState(), {}, saturday, asking('a')).state;
    expect(counts(grant(full, {}, evening, asking('b')).state)).toEqual([1, 2, 2, 2, 2]);
    expect(counts(grant(full, {}, sunday, asking('b')).state)).toEqual([1, 1, 2, 2, 2]);
    expect(counts(grant(full, {}, monday, asking('b')).state)).toEqual([1, 1, 1, 2, 2]);
    expect(counts(grant(full, {}, december, asking('b')).state)).toEqual([1, 1, 1, 1, 2]);
    expect(counts(grant(full, {}, monday, []).state)).toEqual([0, 0, 0, 1, 1]);
  });

  it('does not return to an earlier window for a late run', () => {
    const limits = { daily_cap: 2 };
    const first = grant(emptyCapState(), limits, sunday, asking('a')).state;
    const late = grant(first, limits, saturday, asking('b', 'c'));
    expect(late.granted).toEqual(['b']);
    expect(late.state.day).toEqual({ key: sunday.day, count: 2, amount: 20 });
    expect(late.state.held[1]?.keys).toEqual(sunday);
    expect(grant(late.state, limits, sunday, asking('d')).granted).toEqual([]);
  });

  it('counts a lead that was parked only in windows that are new to it', () => {
    const before = grant(emptyCapState(), {}, saturday, asking('a')).state;
    const parked: CapState = { ...before, held: [] };
    const again: CapCandidate[] = [{ ...A, counted: saturday }];
    const limits = { daily_cap: 1, weekly_cap: 1, total_cap: 1 };
    const sameDay = grant(parked, limits, saturday, again);
    expect(sameDay.granted).toEqual(['a']);
    expect(counts(sameDay.state)).toEqual([1, 1, 1, 1, 1]);
    const nextDay = grant(parked, limits, sunday, again);
    expect(nextDay.granted).toEqual(['a']);
    expect(counts(nextDay.state)).toEqual([1, 1, 1, 1, 1]);
    const afterOthers = grant(parked, limits, monday, [...asking('b'), ...again]);
    expect(afterOthers.granted).toEqual(['a']);
  });

  it('does not change its input', () => {
    const state = emptyCapState();
    grant(state, {}, saturday, asking('a'));
    expect(state).toEqual(emptyCapState());
  });
});

describe('a hold', () => {
  const limits = { daily_cap: 1 };
  const held = grant(emptyCapState(), limits, saturday, [A]).state;
  const later = { ...A, fence: 2 };

  it('moves to a later lease of the lead, and counts once', () => {
    const taken = grant(held, limits, saturday, [later]);
    expect(taken.granted).toEqual(['a']);
    expect(taken.state).toEqual({
      ...held,
      held: [{ ...later, leads: 1, keys: saturday, of_row: false, takers: [1, 2] }],
    });
  });

  it('moves to the current window with its new lease', () => {
    const moved = grant(held, limits, sunday, [later]).state;
    expect(counts(moved)).toEqual([1, 1, 1, 1, 1]);
    expect(moved.held).toEqual([
      { ...later, leads: 1, keys: sunday, of_row: false, takers: [1, 2] },
    ]);
  });

  it('cannot be granted, committed or released by the earlier lease', () => {
    const taken = grant(held, limits, saturday, [later]).state;
    expect(grant(taken, limits, saturday, [A])).toEqual({ state: taken, granted: [] });
    expect(commit(taken, [A])).toEqual(taken);
    expect(release(taken, [A])).toEqual(taken);
  });

  it('keeps its count when it is committed, and removes it when it is released', () => {
    expect(commit(held, [A])).toEqual({ ...held, held: [] });
    expect(counts(release(held, [A]))).toEqual([0, 0, 0, 0, 0]);
    expect(counts(release(commit(held, [A]), [A]))).toEqual([1, 1, 1, 1, 1]);
    // Older reservations do not say that they count for one lead.
    const both = grant(held, {}, saturday, asking('b')).state;
    const left = withoutReservation(both, { ...A, keys: saturday });
    expect(counts(left)).toEqual([1, 1, 1, 1, 1]);
    expect(left.held).toEqual([both.held[1]]);
  });

  it('removes nothing in a window that has begun since', () => {
    const sundayOpen = grant(held, {}, sunday, []).state;
    expect(counts(release(sundayOpen, [A]))).toEqual([0, 0, 0, 0, 0]);
    const others = grant(held, {}, sunday, [{ ...A, hold_id: 'b' }]).state;
    expect(counts(release(others, [A]))).toEqual([1, 1, 1, 1, 1]);
  });

  it('can be created once from an existing count', () => {
    const parked = commit(held, [A]);
    const adopted = adopt(parked, [{ ...later, keys: saturday }]);
    expect(counts(adopted)).toEqual([1, 1, 1, 1, 1]);
    expect(adopt(adopted, [{ ...later, keys: saturday }])).toEqual(adopted);
    expect(adopt(adopted, [{ ...A, keys: saturday }])).toEqual(adopted);
    expect(counts(release(adopted, [later]))).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('a link that holds its maximum', () => {
  const held = { daily_cap: 3, maxHeld: 2 };
  const { state, granted } = grant(emptyCapState(), held, saturday, asking('a', 'b', 'c'));

  it('gives no further reservation, and keeps those that it has', () => {
    expect(granted).toEqual(['a', 'b']);
    const again = grant(state, held, saturday, [{ ...A, fence: 2 }, ...asking('c')]);
    expect(again.granted).toEqual(['a']);
    expect(counts(again.state)).toEqual([2, 2, 2, 2, 2]);
  });

  it('crowds out those that its caps have room for', () => {
    const all = asking('a', 'c', 'd');
    expect(findCrowdedOut(state, held, all)).toEqual(new Set(['c', 'd']));
    expect(findCrowdedOut(state, { daily_cap: 2 }, all)).toEqual(new Set());
    expect(
      findCrowdedOut(state, { daily_budget: 30 }, [...all, { ...A, hold_id: 'dear', amount: 11 }]),
    ).toEqual(new Set(['c', 'd']));
  });
});

describe('a cap that was lowered below what it counts', () => {
  const full = grant(emptyCapState(), {}, saturday, asking('a', 'b')).state;
  const lowered = { daily_cap: 1, total_budget: 5 };

  it('lets a lead go on that adds nothing to it', () => {
    expect(grant(full, lowered, saturday, [{ ...A, fence: 2 }]).granted).toEqual(['a']);
    const parked = { ...full, held: [] };
    expect(grant(parked, lowered, saturday, [{ ...A, counted: saturday }]).granted).toEqual(['a']);
  });

  it('has no room for one that adds a lead, or money', () => {
    const added = { ...A, fence: 2, amount: 11 };
    expect(grant(full, { total_budget: 5 }, saturday, [added]).granted).toEqual([]);
    const money = grant(emptyCapState(), {}, saturday, [{ ...A, leads: 0 }]).state;
    expect(grant(money, { daily_cap: 0 }, saturday, [{ ...A, fence: 2 }]).granted).toEqual([]);
  });
});

describe('grant, for any request', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 12 }), { nil: null });
  const money = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  const anyLimits = fc.record({
    ...eachLimit('cap', () => limit),
    ...eachLimit('budget', () => money),
    daily_caps: fc.option(fc.record({ sat: limit, sun: limit, tue: limit }), { nil: null }),
  });
  /** The cap of the weekday of these days alone. */
  const ownCap = ({ daily_caps }: CapLimits, day: string) =>
    new Map([
      [saturday.day, daily_caps?.sat],
      [sunday.day, daily_caps?.sun],
      [december.day, daily_caps?.tue],
    ]).get(day);
  const anyKeys = fc.constantFrom(saturday, evening, sunday, monday, december);
  const anyCandidates = fc.array(
    fc.record({
      hold_id: fc.constantFrom(...Array.from('abcdefghijkl')),
      fence: fc.integer({ min: 1, max: 3 }),
      amount: fc.integer({ min: 0, max: 30 }),
      leads: fc.constantFrom(0 as const, 1 as const),
    }),
    { maxLength: 8 },
  );
  const calls = fc.array(fc.tuple(anyKeys, anyCandidates), { maxLength: 8 });
  const run = (limits: CapLimits, all: [WindowKeys, CapCandidate[]][]) =>
    all.reduce(
      (state, [keys, candidates]) => grant(state, limits, keys, candidates).state,
      emptyCapState(),
    );

  it('never passes a cap or a budget, in any window', () => {
    fc.assert(
      fc.property(anyLimits, calls, (limits, all) => {
        const state = run(limits, all);
        const own = { ...limits, daily_cap: ownCap(limits, state.day.key) ?? limits.daily_cap };
        for (const { window, cap, budget } of CAP_WINDOWS) {
          expect(state[window].count).toBeLessThanOrEqual(own[cap] ?? Infinity);
          expect(state[window].amount).toBeLessThanOrEqual(own[budget] ?? Infinity);
        }
      }),
    );
  });

  it('gives the same grant and the same counters when it is repeated', () => {
    fc.assert(
      fc.property(anyLimits, calls, anyKeys, anyCandidates, (limits, all, keys, candidates) => {
        const first = grant(run(limits, all), limits, keys, candidates);
        const held = candidates.filter((one) =>
          first.state.held.some((hold) => hold.hold_id === one.hold_id && hold.fence === one.fence),
        );
        expect(grant(first.state, limits, keys, held)).toEqual({
          state: first.state,
          granted: held.map(({ hold_id }) => hold_id),
        });
      }),
    );
  });

  it('counts every grant in the total exactly once', () => {
    fc.assert(
      fc.property(anyLimits, calls, (limits, all) => {
        const { total, held } = run(limits, all);
        expect(total.count).toBe(held.reduce((sum, { leads = 1 }) => sum + leads, 0));
        expect(total.amount).toBe(held.reduce((sum, { amount }) => sum + amount, 0));
        expect(new Set(held.map(({ hold_id }) => hold_id)).size).toBe(held.length);
      }),
    );
  });
});
