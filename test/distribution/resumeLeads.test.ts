import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resumeLeads } from '../../src/distribution/resumeLeads.js';
import type { Lease } from '../../src/distribution/task.js';
import { aBuyer, aPlan, aSupplier } from '../support/builders.js';
import { aLead, aRow } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';

const LEASE_MS = 3_000;

describe('a lease that resumes leads of another one', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('names the original of a repeat that was sold to the same buyer', async () => {
    const deps = screeningDeps(database, () => Promise.reject(new Error('nobody is asked')));
    const plan = aPlan({
      buyers: [aBuyer({ buyer_id: 'first', price: 10 })],
      suppliers: { s1: aSupplier() },
    });
    const facts = { duplicate_of: 'original', route_to: 'first' };
    const lead = aLead({
      ...facts,
      campaign_id: plan.campaign_id,
      supplier_id: 's1',
      run: 'run',
      takes: 2,
      lease_until: new Date(Date.now() + LEASE_MS),
    });
    const { leads, plans, deliveries } = database.collections;
    await plans.insertOne(plan);
    await leads.insertOne(lead);
    await deliveries.insertOne(
      aRow({ lead_id: lead._id, buyer_id: 'first', state: 'accepted', price: 10, cost: 0 }),
    );
    const lease: Lease = { id: 'run', validUntil: performance.now() + LEASE_MS };
    const { verdicts } = await resumeLeads([lead], lease, deps);
    expect(verdicts).toEqual([
      { id: lead._id, status: 'ACCEPTED', buyer_id: 'first', duplicate_of: 'original' },
    ]);
    expect(await leads.findOne({ _id: lead._id })).toMatchObject({
      status: 'ACCEPTED',
      buyer_id: 'first',
      price: 10,
      sales: [{ buyer_id: 'first', attempt: 1 }],
    });
  });
});
