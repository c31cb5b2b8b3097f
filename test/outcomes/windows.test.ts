/** Conversion windows: their end is planned at the sale, and closes sales without an outcome. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expireWindows } from '../../src/outcomes/expire.js';
import type { Deps } from '../../src/app/deps.js';
import { bucketOf } from '../../src/platform/temporal/expiryBuckets.js';
import { createExpiryStarter } from '../../src/platform/temporal/expiryStarter.js';
import { outcomeExpiryId } from '../../src/platform/temporal/names.js';
import { ago } from '../support/times.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { dying } from '../reports/rolled.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { after, NOW } from '../support/storedRows.js';
import { YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { applyDeps, aSale, aSoldLead, expectExact } from './changes.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('the time limit of an outcome', () => {
  let testbed: Testbed;
  let deps: Deps;
  beforeAll(async () => {
    testbed = await startTestbed();
    ({ deps } = testbed.service);
  });
  afterAll(() => testbed.stop());

  /** A lead sold by a campaign with a window of `days` days; undefined: without a window. */
  const sold = async (conversion_window_days: number | undefined) => {
    const market = await testbed.market({ buyers: { first: { answer: () => YES } } });
    await testbed.collections.plans.updateMany(
      { campaign_id: market.account.campaignId },
      { $set: { conversion_window_days, 'buyers.0.conversion_price': 50e6 } },
    );
    const { id } = await market.post();
    return { market, id };
  };
  const is = (id: string, outcome: string) =>
    waitFor(
      async () => (await testbed.collections.leads.findOne({ _id: id }))?.outcome === outcome,
      { message: `lead ${id} is ${outcome}` },
    );
  const overdue = (id: string, ms: number) =>
    testbed.collections.leads.updateOne(
      { _id: id },
      { $set: { outcome_due: ago(ms), 'sales.0.outcome_due': ago(ms) } },
    );

  it('ends a number of days after the sale, and one workflow waits for all of that hour', async () => {
    const { market, id } = await sold(30);
    const lead = await market.lead(id);
    const [sale] = lead.sales;
    expect(sale).toMatchObject({ conversion_price: 50e6, outcome_due: lead.outcome_due });
    expect(Number(lead.outcome_due) - Number(sale?.at)).toBe(30 * DAY);
    const until = bucketOf(lead.outcome_due ?? NOW, HOUR);
    const handle = deps.client.workflow.getHandle(outcomeExpiryId(deps.queues, until));
    await waitFor(
      async () => (await handle.describe().catch(() => null))?.status.name === 'RUNNING',
      { message: 'its workflow sleeps' },
    );
    expect(await (await handle.describe()).staticSummary()).toBe(
      `Sales whose time limit for an outcome ends by ${until.toISOString()}`,
    );
    await handle.terminate();
  });

  it('does not exist without a window of the campaign', async () => {
    const { market, id } = await sold(undefined);
    expect(await market.lead(id)).not.toHaveProperty('outcome_due');
  });

  it('passes when the workflow of its hour wakes, and the buyer may still report a conversion', async () => {
    const { market, id } = await sold(1);
    await overdue(id, 1_000);
    const until = new Date();
    await createExpiryStarter(deps.client, deps.queues, 'outcome').expire(until);
    await is(id, 'expired');
    const { lead } = await expectExact(id, testbed.collections);
    expect(lead).toMatchObject({ status: 'ACCEPTED', price: 10e6, outcome: 'expired' });
    expect(lead).not.toHaveProperty('outcome_due');
    const { answer } = await deps.saleChanges.make({
      org_id: market.account.orgId,
      campaign_id: market.account.campaignId,
      lead_id: id,
      buyer_id: market.account.buyers.first ?? '',
      by: { kind: 'buyer' },
      body_hash: 'late',
      ask: { kind: 'outcome', outcome: 'converted' },
    });
    expect(answer).toMatchObject({ status: 'converted' });
    expect(await market.lead(id)).toMatchObject({ outcome: 'converted', price: 50e6 });
  });

  it('is ended by reconcile when its hour was missed', async () => {
    const { id } = await sold(1);
    await overdue(id, 2 * HOUR);
    expect(await testbed.repair()).toMatchObject({ outcome_window: 1 });
    await is(id, 'expired');
    expect(await testbed.repair()).toMatchObject({ outcome_window: 0 });
  });
});

describe('closing windows', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const depsAt = (now: Date, collections = database.collections) => ({
    ...applyDeps(collections),
    clock: { now: () => now },
  });
  const close = (collections = database.collections) =>
    expireWindows(NOW, depsAt(NOW, collections), () => true);
  const due = { outcome_due: after(-1) };
  const store = async (...leads: ReturnType<typeof aSoldLead>[]) => {
    await database.collections.leads.insertMany(leads);
    return leads.map(({ _id }) => _id);
  };
  const outcomesOf = async (id = '') =>
    (await database.collections.leads.findOne({ _id: id }))?.sales.map(({ outcome }) => outcome);

  it('expires each sale without an outcome, and no other, however many there are', async () => {
    const many = await store(...Array.from({ length: 450 }, () => aSoldLead(due)));
    const [later] = await store(aSoldLead({ outcome_due: after(1) }));
    const [mixed] = await store(
      aSoldLead({
        ...due,
        outcome: 'converted',
        sales: [
          aSale({ outcome: 'converted', outcome_at: NOW }),
          aSale({ attempt: 2, buyer_id: 'second' }),
          aSale({
            attempt: 3,
            buyer_id: 'third',
            returned: { at: NOW, return_id: 'r', cost_reversed: false },
            revenue: 0,
          }),
        ],
      }),
    );
    const { leads, isOver } = await close();
    expect([leads.length, isOver]).toEqual([451, true]);
    for (const id of many) expect(await outcomesOf(id)).toEqual(['expired']);
    expect(await outcomesOf(mixed)).toEqual(['converted', 'expired', undefined]);
    expect(await database.collections.leads.findOne({ _id: mixed ?? '' })).toMatchObject({
      outcome: 'converted',
    });
    expect(await outcomesOf(later)).toEqual([undefined]);
    expect((await close()).leads).toEqual([]);
  });

  it('expires each of several sales at its own end, however long the later buyer was waited for', async () => {
    const [first, second] = [after(-1), after(DAY)];
    const sales = [
      aSale({ outcome_due: first }),
      aSale({ attempt: 2, buyer_id: 'second', outcome_due: second }),
    ];
    const [id = ''] = await store(aSoldLead({ outcome_due: first, sales }));
    expect((await close()).isOver).toBe(true);
    expect(await outcomesOf(id)).toEqual(['expired', undefined]);
    const read = await database.collections.leads.findOne({ _id: id });
    expect(read?.outcome_due).toEqual(second);
    await expireWindows(second, depsAt(second), () => true);
    expect(await outcomesOf(id)).toEqual(['expired', 'expired']);
    expect(await database.collections.leads.findOne({ _id: id })).not.toHaveProperty('outcome_due');
  });

  it('corrects the end of a lead whose open sales end later', async () => {
    const later = after(DAY);
    const sales = [
      aSale({ outcome: 'converted', outcome_at: NOW, outcome_due: after(-1) }),
      aSale({ attempt: 2, buyer_id: 'second', outcome_due: later }),
    ];
    const [id = ''] = await store(aSoldLead({ ...due, outcome: 'converted', sales }));
    await close();
    expect(await outcomesOf(id)).toEqual(['converted', undefined]);
    const read = await database.collections.leads.findOne({ _id: id });
    expect(read?.outcome_due).toEqual(later);
  });

  it('removes the time limit of a lead that needs no outcome', async () => {
    const [id] = await store(
      aSoldLead({ ...due, sales: [aSale({ outcome: 'pending' })], outcome: 'pending' }),
    );
    expect(await close()).toMatchObject({ isOver: true });
    expect(await database.collections.leads.findOne({ _id: id ?? '' })).not.toHaveProperty(
      'outcome_due',
    );
  });

  it.each(['before', 'midway', 'after'] as const)(
    'is correct wherever the process dies (%s a call), and two continue at once',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        const ids = await store(
          ...Array.from({ length: 4 }, () => aSoldLead({ ...due, _id: randomUUID() })),
        );
        const process = dying(database.collections, call, how);
        await close(process.collections).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        await Promise.all([close(), close()]);
        for (const id of ids) {
          expect(await outcomesOf(id)).toEqual(['expired']);
          const lead = await database.collections.leads.findOne({ _id: id });
          expect(lead).toMatchObject({ outcome_seq: 1, trail: [{ result: 'expired' }] });
        }
        const open = await database.collections.outcomes.find({ state: 'open' }).toArray();
        // Marked by reconcile, which finds open changes: their leads have them.
        for (const { _id, lead_id } of open)
          expect(
            await database.collections.leads.countDocuments({ _id: lead_id, 'applied.id': _id }),
          ).toBe(1);
      }
      expect(call).toBeGreaterThan(4);
    },
  );
});
