/** Reservations that a run left behind: in the end the counters agree with the rows. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endWaiting } from '../../src/distribution/expiry.js';
import { settleReservations } from '../../src/distribution/repair/reservations.js';
import { resumeLeads } from '../../src/distribution/resumeLeads.js';
import { GroupSale } from '../../src/distribution/sell.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { aSupplier } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { TEST_ZONE, windowsNow } from '../support/org.js';
import { waitFor } from '../support/waitFor.js';
import { screeningDeps } from './screeningDeps.js';
import { answers, aLease, leadWithTwoLeases } from './twoLeases.js';

const CAPS = { total_cap: 5 };
const TODAY = windowsNow();

describe('a reservation that its run left behind', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** A lead of a supplier and a campaign with caps; the plan may sell it twice. */
  const aScene = async () => {
    const scene = await leadWithTwoLeases(database);
    const { plan, collections } = scene;
    const supplier = aSupplier({ caps: CAPS, cost_mode: 'FIXED', cost_per_lead: 4 });
    const terms = { max_sells: 2, caps: CAPS, time_zone: TEST_ZONE, 'suppliers.s1': supplier };
    await collections.plans.updateOne({ _id: plan._id }, { $set: terms });
    const deps = screeningDeps(database, answers(200));
    const ids = {
      first: buyerCap(plan.campaign_id, 'first'),
      next: buyerCap(plan.campaign_id, 'next'),
      supplier: supplierCap(plan.campaign_id, 's1'),
      campaign: campaignCap(plan.campaign_id),
    };
    const reserve = (id: string, fence: number, n: number, amount: number) =>
      deps.caps.reserve({
        id,
        limits: {},
        keys: TODAY,
        candidates: [{ hold_id: `${scene.lead._id}:${n}`, fence, amount }],
      });
    const counts = async () => {
      const docs = await collections.caps.find({ _id: { $in: Object.values(ids) } }).toArray();
      return Object.fromEntries(
        Object.entries(ids).map(([name, id]) => {
          const doc = docs.find(({ _id }) => _id === id);
          return [name, [doc?.total.count ?? 0, doc?.total.amount ?? 0, doc?.held.length ?? 0]];
        }),
      );
    };
    return { ...scene, deps, ids, reserve, counts };
  };

  it('was for a first sale and is taken over for a further one: the lead is counted once', async () => {
    const { lead, rowOf, rows, ids, reserve, counts, deps, collections } = await aScene();
    // A run parked the lead for its first buyer, reserved for the next one, and died before it opened that row.
    const sold = rowOf({
      buyer_id: 'first',
      state: 'accepted',
      reserved: TODAY,
      price: 10,
      cost: 4,
    });
    await collections.deliveries.insertOne(sold);
    await reserve(ids.first, 1, 1, 10);
    for (const id of [ids.supplier, ids.campaign]) {
      await reserve(id, 1, 1, id === ids.supplier ? 4 : 10);
      await deps.caps.commit(id, [{ hold_id: sold._id, fence: 1 }]);
    }
    await deps.caps.commit(ids.first, [{ hold_id: sold._id, fence: 1 }]);
    await reserve(ids.next, 1, 2, 10);
    await reserve(ids.supplier, 1, 2, 4);
    await reserve(ids.campaign, 1, 2, 10);

    const lease = aLease('second');
    const { tasks } = await resumeLeads([lead], lease, deps);
    await new GroupSale({ tasks }, lease, deps).done;
    expect(await rows()).toMatchObject([
      { buyer_id: 'first', state: 'accepted' },
      { buyer_id: 'next', state: 'accepted', further: true, cost: 0 },
    ]);
    expect(await counts()).toEqual({
      first: [1, 10, 0],
      next: [1, 10, 0],
      supplier: [1, 4, 0],
      campaign: [1, 20, 0],
    });
  });

  it("is taken over for another buyer: the amount is that buyer's price", async () => {
    const { lead, ids, reserve, counts, deps, collections, next, plan } = await aScene();
    await collections.plans.updateOne(
      { _id: plan._id },
      { $set: { max_sells: 1, buyers: [{ ...next, price: 7 }] } },
    );
    await reserve(ids.campaign, 1, 1, 10);
    await reserve(ids.supplier, 1, 1, 4);

    const lease = aLease('second');
    const { fresh } = await resumeLeads([lead], lease, deps);
    expect(fresh).toHaveLength(1);
    const stored = await collections.plans.findOne({ _id: plan._id });
    if (!stored) throw new Error('the plan is not stored');
    const task = {
      lead,
      plan: stored,
      supplier: stored.suppliers.s1 ?? aSupplier(),
      candidates: [...stored.buyers],
      nextAttempt: 1,
      sold: 0,
      missed: [],
      trail: [],
    };
    await new GroupSale({ tasks: [task] }, lease, deps).done;
    expect(await counts()).toMatchObject({
      next: [1, 7, 0],
      supplier: [1, 4, 0],
      campaign: [1, 7, 0],
    });
  });

  it('was made in addition to the row of its successor: repair releases it', async () => {
    const { lead, rowOf, ids, reserve, counts, deps, collections } = await aScene();
    const row = rowOf({
      buyer_id: 'next',
      state: 'accepted',
      reserved: TODAY,
      price: 10,
      fence: 2,
    });
    await collections.deliveries.insertOne(row);
    await reserve(ids.next, 2, 1, 10);
    await deps.caps.commit(ids.next, [{ hold_id: row._id, fence: 2 }]);
    await collections.leads.updateOne(
      { _id: lead._id },
      { $set: { status: 'ACCEPTED', run: null } },
    );
    await reserve(ids.next, 1, 1, 10);
    expect(await counts()).toMatchObject({ next: [2, 20, 1] });

    await collections.caps.updateOne(
      { _id: ids.next },
      { $set: { 'held.0.at': new Date(Date.now() - 300_000) } },
    );
    expect(await settleReservations({ ...deps, collections })).toBe(1);
    expect(await counts()).toMatchObject({ next: [1, 10, 0] });
  });

  it('was made by a run that did not see the row its predecessor opened late: the next run releases it', async () => {
    const { lead, rowOf, ids, reserve, counts, deps, collections } = await aScene();
    // The first run is late, but parks the lead; the second had read the rows before that, and reserves after it.
    const row = rowOf({
      buyer_id: 'next',
      state: 'parked',
      reserved: TODAY,
      price: 10,
      cost: 4,
      fence: 1,
    });
    const links = [
      [ids.next, 10],
      [ids.campaign, 10],
      [ids.supplier, 4],
    ] as const;
    for (const [id, amount] of links) await reserve(id, 1, 1, amount);
    await collections.deliveries.insertOne(row);
    for (const [id] of links) await deps.caps.commit(id, [{ hold_id: row._id, fence: 1 }]);
    for (const [id, amount] of links) await reserve(id, 2, 1, amount);
    expect(await counts()).toMatchObject({ next: [2, 20, 1] });

    await resumeLeads([{ ...lead, takes: 3 }], aLease('third'), deps);
    expect(await counts()).toMatchObject({
      next: [1, 10, 0],
      supplier: [1, 4, 0],
      campaign: [1, 10, 0],
    });
  });

  it('stands for the row that its predecessor opened late: the next run leaves its count', async () => {
    const { lead, rowOf, ids, reserve, counts, deps, collections } = await aScene();
    const row = rowOf({ buyer_id: 'next', state: 'parked', reserved: TODAY, price: 10, fence: 1 });
    await reserve(ids.next, 1, 1, 10);
    await collections.deliveries.insertOne(row);
    // The second run takes the reservation over before the first one ends it.
    await reserve(ids.next, 2, 1, 10);
    await deps.caps.commit(ids.next, [{ hold_id: row._id, fence: 1 }]);
    expect(await counts()).toMatchObject({ next: [1, 10, 1] });

    await resumeLeads([{ ...lead, takes: 3 }], aLease('third'), deps);
    expect(await counts()).toMatchObject({ next: [1, 10, 0] });
  });

  it('belongs to a row that two drains end at once: its count is released once', async () => {
    const { lead, rowOf, ids, reserve, counts, deps, collections } = await aScene();
    const row = rowOf({ buyer_id: 'next', state: 'parked', reserved: TODAY, price: 10, fence: 1 });
    await collections.deliveries.insertOne(row);
    for (const [id, amount] of [
      [ids.next, 10],
      [ids.campaign, 10],
      [ids.supplier, 4],
    ] as const) {
      await reserve(id, 1, 1, amount);
      await deps.caps.commit(id, [{ hold_id: row._id, fence: 1 }]);
    }
    await collections.leads.updateOne(
      { _id: lead._id },
      { $set: { status: 'ACCEPTED', run: null } },
    );
    // The first drain is delayed between ending the row and releasing what it counted.
    let release: () => void = () => undefined;
    const heldUp = new Promise<void>((resolve) => (release = resolve));
    const slow = {
      ...deps,
      caps: {
        ...deps.caps,
        release: async (...given: Parameters<typeof deps.caps.release>) => {
          await heldUp;
          await deps.caps.release(...given);
        },
      },
    };
    const first = endWaiting([row], 'max_age', slow);
    const isEnded = async () =>
      (await collections.deliveries.findOne({ _id: row._id }))?.state === 'expired';
    await waitFor(isEnded, { message: 'the row ends' });
    await endWaiting([row], 'max_age', deps);
    release();
    await first;
    const nothing = [0, 0, 0];
    expect(await counts()).toMatchObject({ next: nothing, campaign: nothing, supplier: nothing });
  });
});
