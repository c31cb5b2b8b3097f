/** Reservations for rows that other runs have opened: which of them are given back. */
import { describe, expect, it } from '@jest/globals';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { releaseLostReservations } from '../../src/distribution/capReservations.js';
import type { Reserved } from '../../src/distribution/task.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { aBuyer, aPlan, aSupplier } from '../support/builders.js';
import { aLead, NOW } from '../support/storedRows.js';

describe('a reservation for a row that is there already', () => {
  const caps = { daily_cap: 5 };
  const terms = aBuyer({ buyer_id: 'b1', caps });
  const plan = aPlan({ campaign_id: 'c1', caps, buyers: [terms] });
  const ids = [campaignCap('c1'), supplierCap('c1', 's1'), buyerCap('c1', 'b1')];

  /** The counters whose reservation is given back, by the second run of a lead. */
  const givenBack = async (row: { fence?: number; buyer_id: string } | undefined) => {
    const lead = aLead({ takes: 2, supplier_id: 's1' });
    const supplier = aSupplier({ supplier_id: 's1', caps });
    const rest = { candidates: [], nextAttempt: 2, missed: [], trail: [], sold: 0 };
    const reserved: Reserved = {
      task: { lead, plan, supplier, ...rest },
      terms,
      keys: windowKeys(NOW, plan.time_zone),
      further: false,
      askedAt: NOW,
      reservationId: `${lead._id}:1`,
    };
    const released: string[] = [];
    const release = (id: string, holds: readonly object[]) => {
      expect(holds).toEqual([{ hold_id: `${lead._id}:1`, fence: 2 }]);
      released.push(id);
      return Promise.resolve();
    };
    const standing = new Map(row ? [[reserved.reservationId, row]] : []);
    await releaseLostReservations([reserved], standing, { caps: { release } } as never);
    return released.toSorted();
  };

  it.each([
    ['of a later run', { fence: 3, buyer_id: 'b1' }, ids],
    ['of the same run, which had reserved before', { fence: 2, buyer_id: 'b1' }, ids],
    ['that is older than fences', { buyer_id: 'b1' }, ids],
    ['of an earlier run for another buyer', { fence: 1, buyer_id: 'b2' }, ids.slice(2)],
    ['of an earlier run for the same buyer', { fence: 1, buyer_id: 'b1' }, []],
    ['that is gone', undefined, []],
  ])('is given back, or kept, by what that is: one %s', async (_whose, row, expected) => {
    expect(await givenBack(row)).toEqual(expected.toSorted());
  });
});
