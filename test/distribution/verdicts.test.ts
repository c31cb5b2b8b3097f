/** What a run reports of its leads: the stored state of those it may have lost, and the first sale of sold ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planId, type Plan } from '../../src/account/rules/plan.js';
import { processLeads, type ProcessDeps } from '../../src/distribution/processLeads.js';
import { storedVerdict } from '../../src/distribution/verdicts.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { Lead, Sale } from '../../src/leads/rules/lead.js';
import { systemClock } from '../../src/lib/clock.js';
import { sealedBefore } from '../support/sealedBefore.js';
import { aBuyer, aPlan, aSupplier, aWebhook } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { aLead, aRow, NOW } from '../support/storedRows.js';
import { screeningDeps, SECRET } from './screeningDeps.js';
import { answers } from './twoLeases.js';

const LEASE_MS = 30_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const signing_secret = sealedBefore(SECRET, 'secret');
const buyer = (buyer_id: string, priority: number) =>
  aBuyer({ buyer_id, price: 10, priority, signing_secret, delivery: aWebhook({ url: buyer_id }) });

/** A stored lead of a stored plan. */
async function stored(plan: Partial<Plan>, lead: Partial<Lead> = {}): Promise<Lead> {
  const campaign_id = randomUUID();
  const { plans, leads } = database.collections;
  const suppliers = { s1: aSupplier() };
  const time_zone = 'America/Denver';
  await plans.insertOne(
    aPlan({ _id: planId(campaign_id, 1), campaign_id, suppliers, time_zone, buyers: [], ...plan }),
  );
  const take_by = new Date(Date.now() + LEASE_MS);
  const made = aLead({ campaign_id, supplier_id: 's1', take_by, ...lead });
  await leads.insertOne(made);
  return made;
}

const processDeps = (): ProcessDeps => ({
  ...screeningDeps(database, answers(200)),
  softLimitMs: 1_000,
  background: { add: () => undefined },
});

const leadNow = ({ _id }: Lead) => database.collections.leads.findOne({ _id });

describe('a lease that ends while its decision is stored', () => {
  /** As if the process had stood still: the lease is over, and another run has the lead, when the step is taken. */
  const overtaken = (step: 'decide' | 'park'): ProcessDeps => {
    const deps = processDeps();
    let stoodMs = 0;
    const standStill = async (): Promise<void> => {
      stoodMs += LEASE_MS;
      const lease_until = new Date(Date.now() + LEASE_MS);
      const other = { $set: { run: 'other', lease_until }, $inc: { takes: 1 } };
      await database.collections.leads.updateMany({ status: 'NEW', run: { $ne: null } }, other);
    };
    const leads: ProcessDeps['leads'] = {
      ...deps.leads,
      async decide(...args) {
        if (step === 'decide' && args[1].length > 0) await standStill();
        return deps.leads.decide(...args);
      },
      async park(...args) {
        if (step === 'park' && args[1].length > 0) await standStill();
        return deps.leads.park(...args);
      },
    };
    const clock = { ...systemClock, monotonic: () => performance.now() + stoodMs };
    return { ...deps, leads, clock };
  };
  const filters: Plan['filters'] = {
    all: [{ id: 'f', field: 'state', operator: '==', value: 'TX' }],
  };
  const capped = { s1: aSupplier({ caps: { total_cap: 0 } }) };

  it.each<[string, Partial<Plan>, 'decide' | 'park']>([
    ['by its filters', { filters }, 'decide'],
    ['without a buyer', {}, 'decide'],
    ['by the cap of its source', { suppliers: capped, buyers: [buyer('b1', 1)] }, 'decide'],
    ['in the queue of a buyer', { buyers: [buyer('resting', 1)] }, 'park'],
  ])('reports no lead as ended %s: another one has it', async (_how, plan, step) => {
    const open_until = new Date(Date.now() + LEASE_MS);
    const { destinations } = database.collections;
    await destinations.updateOne({ _id: 'resting' }, { $set: { open_until } }, { upsert: true });
    const lead = await stored(plan);
    const { verdicts, open } = await processLeads([lead._id], overtaken(step));
    expect(verdicts).toEqual([{ id: lead._id, status: 'OPEN' }]);
    expect(open).toEqual([lead._id]);
    expect(await leadNow(lead)).toMatchObject({ status: 'NEW', run: 'other', takes: 2 });
  });

  it('reports them as they ended when it lasts', async () => {
    const lead = await stored({ filters });
    const { verdicts, open } = await processLeads([lead._id], processDeps());
    expect(verdicts).toEqual([{ id: lead._id, status: 'REJECTED' }]);
    expect(open).toEqual([]);
    expect(await leadNow(lead)).toMatchObject({ status: 'REJECTED', run: null });
  });
});

describe('a resumed lead that was sold before', () => {
  const SALE: Sale = { buyer_id: 'first', attempt: 1, price: 10, cost: 4, at: NOW };

  /** Sold to the first buyer; the run that asked the second has died. */
  const resumed = async (state: DeliveryDoc['state'], maxSells = 3): Promise<Lead> => {
    const buyers = ['first', 'second', 'third'].map((id, n) => buyer(id, n + 1));
    const sold = {
      status: 'SELLING',
      sales: [SALE],
      buyer_id: 'first',
      price: 10,
      cost: 4,
    } satisfies Partial<Lead>;
    const left = { run: 'dead', takes: 1, lease_until: new Date(Date.now() - 1) };
    const lead = await stored({ buyers, max_sells: maxSells }, { ...sold, ...left });
    const of = { lead_id: lead._id, campaign_id: lead.campaign_id, supplier_id: 's1' };
    await database.collections.deliveries.insertMany([
      aRow({ ...of, n: 1, buyer_id: 'first', state: 'accepted' }),
      aRow({ ...of, n: 2, buyer_id: 'second', state }),
    ]);
    return lead;
  };

  it.each([
    ['is sold again by the row that was left', 'accepted', 2, ['first', 'second']],
    ['is sold again to another buyer', 'rejected', 3, ['first', 'third']],
    ['gets no further buyer in time', 'expired', 3, ['first']],
    ['waits for its next buyer', 'parked', 3, ['first']],
  ] as const)(
    'is reported with the buyer of its first sale when it %s',
    async (_how, state, max, to) => {
      const lead = await resumed(state, max);
      const { verdicts } = await processLeads([lead._id], processDeps());
      expect(verdicts).toEqual([{ id: lead._id, status: 'ACCEPTED', buyer_id: 'first' }]);
      const now = await leadNow(lead);
      expect(now?.buyer_id).toBe('first');
      expect(now?.sales.map(({ buyer_id }) => buyer_id)).toEqual(to);
    },
  );

  it('is reported as sold when no further buyer takes it', async () => {
    const lead = await resumed('rejected');
    const deps = { ...processDeps(), outbound: screeningDeps(database, answers(422)).outbound };
    const { verdicts } = await processLeads([lead._id], deps);
    expect(verdicts).toEqual([{ id: lead._id, status: 'ACCEPTED', buyer_id: 'first' }]);
    expect(await leadNow(lead)).toMatchObject({ status: 'ACCEPTED', sales: [SALE] });
  });
});

describe('the verdict of a stored lead', () => {
  it.each([
    ['REJECTED', { refusal: 'supplier_capped' }, { status: 'CAPPED' }],
    [
      'EXPIRED',
      { refusal: 'supplier_capped', pending_at: NOW },
      { status: 'EXPIRED', promised: true },
    ],
    ['ACCEPTED', { pending_at: NOW }, { status: 'ACCEPTED', promised: true }],
    ['SELLING', {}, { status: 'ACCEPTED' }],
  ] as const)('that is %s with %j', (status, facts, verdict) => {
    const lead = aLead({ status, ...facts });
    expect(storedVerdict(lead)).toEqual({ id: lead._id, ...verdict });
  });
});
