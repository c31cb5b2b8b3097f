import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resumeLeads } from '../../src/distribution/resumeLeads.js';
import type { CampaignDoc } from '../../src/account/store/campaignDoc.js';
import { planId } from '../../src/account/rules/plan.js';
import { waitingEntry } from '../../src/routing/rules/distribute.js';
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
    const lease: Lease = { id: 'run', validUntilMs: performance.now() + LEASE_MS };
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

  it.each([
    { title: 'has waited', hasWaited: true },
    { title: 'was left by a run that died', hasWaited: false },
  ])('does not offer a lead that $title to a buyer that was paused meanwhile', async (given) => {
    const { hasWaited } = given;
    const deps = screeningDeps(database, () => Promise.reject(new Error('nobody is asked')));
    const [first, second] = ['first', 'second'].map((buyer_id) => aBuyer({ buyer_id }));
    if (!first || !second) throw new Error('There are two');
    const campaign_id = randomUUID();
    const _id = planId(campaign_id, 1);
    const suppliers = { s1: aSupplier() };
    const plan = aPlan({ _id, campaign_id, suppliers, buyers: [first, second] });
    const now = { ...second, status: 'paused' as const };
    const lead = aLead({
      campaign_id,
      supplier_id: 's1',
      run: 'run',
      takes: 2,
      lease_until: new Date(Date.now() + LEASE_MS),
      ...(hasWaited ? { pending_at: new Date() } : {}),
      trail: hasWaited ? [waitingEntry(first, 'closed', new Date())] : [],
    });
    const { leads, plans, campaigns, deliveries } = database.collections;
    await plans.insertMany([
      plan,
      { ...plan, _id: planId(campaign_id, 2), version: 2, buyers: [first, now] },
    ]);
    const campaign = { _id: campaign_id, name: campaign_id, plan_version: 2 };
    await campaigns.insertOne(campaign as CampaignDoc);
    await leads.insertOne(lead);
    const row = aRow({ lead_id: lead._id, buyer_id: 'first', state: 'rejected' });
    await deliveries.insertOne(row);
    const lease: Lease = { id: 'run', validUntilMs: performance.now() + LEASE_MS };
    const { tasks } = await resumeLeads([lead], lease, deps);
    expect(tasks).toHaveLength(1);
    const names = tasks[0]?.candidates.map(({ buyer_id }) => buyer_id);
    expect(names).toEqual([]);
    expect(tasks[0]?.trail[0]?.detail).toMatchObject({ plan_version: 2 });
  });
});
