import { describe, expect, it } from '@jest/globals';
import type { Schedule } from '../../../src/fields/schedule.js';
import { findOpening } from '../../../src/routing/rules/nextBuyer.js';
import { TEST_ZONE } from '../../support/org.js';

const MONDAYS: Schedule = [{ days: ['mon'], from: '08:00', to: '18:00' }];
/** In New York, Sunday at 22:00; Monday in UTC. */
const SUNDAY = new Date('2026-11-23T03:00:00Z');
const MONDAY = new Date('2026-11-23T13:00:00Z');

describe('a buyer whose leads are held while it is closed', () => {
  it('is asked when it opens, by the clock of the account', () => {
    const buyer = { schedule: MONDAYS, when_closed: 'HOLD' as const };
    expect(findOpening(buyer, SUNDAY, TEST_ZONE)).toEqual(MONDAY);
  });

  it.each([
    ['it is open', { schedule: MONDAYS, when_closed: 'HOLD' }, MONDAY],
    ['it has no schedule', { schedule: null, when_closed: 'HOLD' }, SUNDAY],
    ['its leads go to others', { schedule: MONDAYS, when_closed: 'SKIP' }, SUNDAY],
  ] as const)('waits for nothing where %s', (_case, buyer, now) => {
    expect(findOpening(buyer, now, TEST_ZONE)).toBeNull();
  });
});
