/** Why a delivery waits: the first reason that applies, until when, and what can be done. */
import { describe, expect, it } from '@jest/globals';
import {
  commandsFor,
  findWait,
  nextTry,
  type WaitFacts,
} from '../../../src/routing/rules/whyWaiting.js';
import { TEST_ZONE } from '../../support/org.js';
import { after, aRow, before, NOW } from '../../support/storedRows.js';

const KEYS = { day: '2026-11-21', week: 'W2026-11-16', month: '2026-11' };
const parked = { state: 'parked' as const, due_at: before(1), reserved: KEYS };
const TERMS = {
  schedule: null,
  when_closed: 'SKIP' as const,
  test_mode: false,
  isBuyerPaused: false,
  isLinkPaused: false,
};
const HEALTHY = { failures: 0, open_until: null, retry_at: null, paused_at: null };

/** NOW is Saturday, 07:00 in New York. */
const MONDAY_9 = new Date('2026-11-23T14:00:00Z');
const WEEKDAYS = [{ days: ['mon' as const, 'tue' as const], from: '09:00', to: '17:00' }];

type Facts = {
  row?: object;
  destination?: object;
  terms?: object | null;
  full?: WaitFacts['full'];
};
const factsOf = ({ row, destination, terms, full = null }: Facts): WaitFacts => ({
  row: aRow({ ...parked, ...row }),
  destination: destination && { ...HEALTHY, ...destination },
  terms: terms === null ? undefined : { ...TERMS, ...terms },
  full,
  timeZone: TEST_ZONE,
});

const CASES: [string, Facts, Date | null][] = [
  ['due', {}, null],
  ['checked_later', { row: { due_at: after(5) } }, after(5)],
  ['being_sent', { row: { state: 'sending', answer_by: after(9) } }, after(9)],
  ['no_answer_recorded', { row: { state: 'sending', answer_by: before(9) } }, null],
  ['unanswered', { row: { state: 'unknown', expires_at: after(9) } }, after(9)],
  ['time_limit_passed', { row: { expires_at: before(9), held: true } }, null],
  ['held', { row: { held: true }, destination: { held: true } }, null],
  ['queue_held', { destination: { held: true, open_until: after(9) } }, null],
  ['breaker_open', { destination: { paused_at: before(9), open_until: after(9) } }, after(9)],
  [
    'breaker_open',
    { destination: { paused_at: before(9), open_until: after(9), retry_at: after(20) } },
    after(20),
  ],
  ['retry_after', { destination: { open_until: after(9) }, terms: null }, after(9)],
  ['backing_off', { destination: { failures: 2, retry_at: after(9) } }, after(9)],
  ['paced', { destination: { retry_at: after(9) } }, after(9)],
  ['probing', { destination: { paused_at: before(9), open_until: before(1) } }, null],
  ['not_linked', { terms: null }, null],
  ['buyer_paused', { terms: { isBuyerPaused: true, isLinkPaused: true } }, null],
  ['paused_in_campaign', { terms: { isLinkPaused: true, schedule: WEEKDAYS } }, null],
  ['test_mode_only', { terms: { test_mode: true } }, null],
  ['live_only', { row: { reserved: null } }, null],
  ['outside_hours', { terms: { schedule: WEEKDAYS } }, MONDAY_9],
  ['cap_full', { full: { scope: 'buyer', limit: 'daily_cap', resets_at: after(99) } }, after(99)],
];

describe('why a delivery waits', () => {
  it.each(CASES)('is %s for %j', (code, facts, until) => {
    expect(findWait(factsOf(facts), NOW)).toMatchObject({ code, until });
  });

  it('is nothing for one that has ended', () => {
    for (const state of ['accepted', 'rejected', 'failed', 'abandoned', 'expired'])
      expect(findWait(factsOf({ row: { state } }), NOW)).toBeNull();
  });

  it('is that an operator asked for it, before any hold', () => {
    const facts = factsOf({ row: { held: true } });
    const destination = { ...HEALTHY, held: true, asked: [facts.row._id] };
    expect(findWait({ ...facts, destination }, NOW)).toMatchObject({ code: 'asked_for' });
  });

  it('says in words whose cap is full, and of what window', () => {
    const textOf = (scope: 'buyer' | 'campaign', limit: 'daily_cap' | 'monthly_budget') =>
      findWait(factsOf({ full: { scope, limit, resets_at: null } }), NOW)?.text;
    expect(textOf('buyer', 'daily_cap')).toBe(
      'The buyer has no room left: the cap of a day is full.',
    );
    expect(textOf('campaign', 'monthly_budget')).toBe(
      'The campaign has no room left: the budget of a month is spent.',
    );
  });

  it('names the next try only where something but an operator ends the wait', () => {
    const nextOf = (facts: Facts) => {
      const given = factsOf(facts);
      const wait = findWait(given, NOW);
      return wait && nextTry(wait, given.row, NOW);
    };
    expect(nextOf({})).toEqual(NOW);
    expect(nextOf({ row: { due_at: after(5) } })).toEqual(after(5));
    expect(
      nextOf({ row: { due_at: after(5) }, destination: { retry_at: after(9), failures: 1 } }),
    ).toEqual(after(9));
    for (const facts of [
      { row: { held: true } },
      { row: { state: 'unknown' } },
      { terms: { isBuyerPaused: true } },
      { destination: { held: true } },
    ])
      expect(nextOf(facts)).toBeNull();
  });

  it('offers the commands that the delivery accepts', () => {
    expect(commandsFor({ code: 'due' })).toEqual(['retry', 'hold', 'drop']);
    expect(commandsFor({ code: 'held' })).toEqual(['retry', 'drop']);
    expect(commandsFor({ code: 'unanswered' })).toEqual(['resolve', 'drop']);
    expect(commandsFor({ code: 'being_sent' })).toEqual([]);
  });
});
