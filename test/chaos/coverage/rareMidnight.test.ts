import { describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { zoneWithMidnight, type Turn } from '../load/calendar.js';
import { sold } from '../checker/endings.js';
import { aCampaign, aRun, T0 } from '../checker/stories.js';
import { rareStates } from './rareStates.js';

const MIDNIGHT = T0 + 60_000;

/** The states seen for one lead that started waiting at `from` and was decided at `to`, in ms from midnight. */
function seen(turn: Turn, from: number, to: number, set: Partial<Lead> = {}): string[] {
  const run = aRun([aCampaign({ time_zone: zoneWithMidnight(MIDNIGHT, turn) })]);
  const { lead } = sold(run);
  lead.trail.push({ at: new Date(MIDNIGHT + from), step: 'closing', result: 'waiting' });
  Object.assign(lead, { decided_at: new Date(MIDNIGHT + to), ...set });
  return rareStates(run.finish())
    .filter(({ state, count }) => count > 0 && /midnight|began/.test(state))
    .map(({ state }) => state);
}

describe('rare states of leads that wait across a midnight', () => {
  it('are those of leads that waited on two days of their account', () => {
    expect(seen('day', -5_000, 5_000)).toEqual([
      'waited across a midnight',
      'waited across a midnight, and sold on the next day',
    ]);
    expect(seen('day', -5_000, -1)).toEqual([]);
    expect(seen('day', 0, 5_000)).toEqual([]);
  });

  it('show the result of each lead, and other windows that began with the day', () => {
    expect(seen('week', -5_000, 5_000, { status: 'EXPIRED', sales: [] })).toEqual([
      'waited across a midnight',
      'waited across a midnight, and expired: no cap had room',
      'waited while a week began',
    ]);
    expect(seen('week and month', -5_000, 5_000)).toEqual([
      'waited across a midnight',
      'waited across a midnight, and sold on the next day',
      'waited while a week began',
      'waited while a month began',
    ]);
  });
});
