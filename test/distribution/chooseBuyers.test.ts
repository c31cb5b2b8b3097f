/** Which buyer is asked next, at an hour that is Sunday in the account and Monday in UTC. */
import { describe, expect, it } from '@jest/globals';
import { chooseBuyers } from '../../src/distribution/chooseBuyers.js';
import type { Task } from '../../src/distribution/task.js';
import { aBuyer, aPlan, aSupplier } from '../support/builders.js';
import { aLead } from '../support/storedRows.js';

/** In New York, the zone of `aPlan`, 22:00 on Sunday, the last of May. */
const now = new Date('2026-06-01T02:00:00Z');

describe('the buyer that is asked next', () => {
  it.each([
    ['is open by the clock of the account', '21:00', '23:00', 'sunday', []],
    ['has closed by it', '19:00', '21:00', undefined, ['closed']],
  ])('holds leads and %s', async (_how, from, to, asked, reasons) => {
    const schedule = [{ days: ['sun' as const], from, to }];
    const sunday = aBuyer({ buyer_id: 'sunday', priority: 1, when_closed: 'HOLD', schedule });
    const candidates = [sunday, aBuyer({ buyer_id: 'behind', priority: 2 })];
    const task: Task = {
      lead: aLead(),
      plan: aPlan({ buyers: candidates }),
      supplier: aSupplier(),
      candidates,
      nextAttempt: 1,
      missed: [],
      trail: [],
      sold: 0,
    };
    const turns = { take: () => Promise.reject(new Error('A waterfall takes no turns')) };
    const [choice] = await chooseBuyers([task], new Map(), now, { turns } as never);
    expect(choice?.terms?.buyer_id).toBe(asked);
    expect(task.missed.map(({ reason }) => reason)).toEqual(reasons);
  });
});
