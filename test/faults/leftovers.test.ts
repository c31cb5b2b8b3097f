import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { StoredCapReservation } from '../../src/routing/store/capDocs.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

const DAY_MS = 86_400_000;

describe('leftovers of a crash', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed({ own: true });
  });
  afterAll(async () => {
    await testbed.stop();
  });

  const sellOne = async (): Promise<{ market: Market; id: string; row: DeliveryDoc }> => {
    const market = await testbed.market({ buyers: { only: { answer: () => YES } } });
    const { id } = await market.post();
    const [row] = await market.rows(id);
    if (!row) throw new Error('the lead has no row');
    await waitFor(async () => (await market.cap('only'))?.held.length === 0, {
      message: 'its hold is gone',
    });
    return { market, id, row };
  };
  const capId = (market: Market) =>
    `buyer:${market.account.campaignId}:${market.account.buyers.only ?? ''}`;
  /** The reservation that a run leaves when it dies before it records the result. */
  const leaveHold = (
    market: Market,
    row: DeliveryDoc,
    changes: Partial<StoredCapReservation> = {},
  ) =>
    testbed.collections.caps.updateOne(
      { _id: capId(market) },
      {
        $push: {
          held: {
            hold_id: row._id,
            fence: 1,
            amount: row.price,
            keys: row.reserved ?? { day: '', week: '', month: '' },
            at: ago(300_000),
            ...changes,
          },
        },
      },
    );
  const count = (market: Market, by: number) =>
    testbed.collections.caps.updateOne(
      { _id: capId(market) },
      {
        $inc: {
          'day.count': by,
          'week.count': by,
          'month.count': by,
          'total.count': by,
          'day.amount': by * 10_000_000,
          'total.amount': by * 10_000_000,
        },
      },
    );

  /** Makes the counters of every link due for a check again. */
  const rested = () => testbed.collections.caps.updateMany({}, { $unset: { recount_at: true } });

  it('a reservation of a recorded sale is removed, and the sale stays counted', async () => {
    const { market, row } = await sellOne();
    await leaveHold(market, row);
    await testbed.repair();
    expect(await market.cap('only')).toMatchObject({ total: { count: 1 }, held: [] });
  });

  it('a reservation of an attempt that was refused, or never opened, is released', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => NO } } });
    const { id } = await market.post();
    const [row] = await market.rows(id);
    if (!row) throw new Error('the lead has no row');
    await count(market, 2);
    await leaveHold(market, row);
    await leaveHold(market, { ...row, _id: `${id}:2` });
    await testbed.repair();
    expect(await market.cap('only')).toMatchObject({
      day: { count: 0, amount: 0 },
      total: { count: 0, amount: 0 },
      held: [],
    });
  });

  it('a reservation at a buyer other than that of the attempt is released', async () => {
    const { market, row } = await sellOne();
    await leaveHold(market, row);
    const elsewhere = { $set: { buyer_id: 'another' } };
    await testbed.collections.deliveries.updateOne({ _id: row._id }, elsewhere);
    await testbed.repair();
    expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
  });

  it('a reservation is not changed while it is recent, or while its lead has a lease', async () => {
    const { market, id, row } = await sellOne();
    await leaveHold(market, row, { at: ago(30_000) });
    await testbed.repair();
    expect((await market.cap('only'))?.held).toHaveLength(1);
    await testbed.collections.leads.updateOne(
      { _id: id },
      { $set: { status: 'PENDING', run: 'at work', lease_until: ago(-60_000) } },
    );
    await testbed.collections.caps.updateOne(
      { _id: capId(market) },
      { $set: { 'held.0.at': ago(300_000) } },
    );
    await testbed.repair();
    expect((await market.cap('only'))?.held).toHaveLength(1);
  });

  it('an attempt that was opened after its lead was parked is settled, and counts until then', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => NO } } });
    const { id } = await market.post();
    const [row] = await market.rows(id);
    if (!row) throw new Error('the lead has no row');
    const { leads, deliveries } = testbed.collections;
    await deliveries.updateOne(
      { _id: row._id },
      { $set: { state: 'sending', answer_by: ago(200_000) } },
    );
    const waiting = { created_at: ago(300_000), pending_at: ago(250_000) };
    await leads.updateOne({ _id: id }, { $set: { status: 'PENDING', ...waiting } });
    await count(market, 1);
    await leaveHold(market, row);
    await testbed.repair();
    await testbed.repair();
    const isHeld = async () => (await market.rows(id))[0]?.state === 'unknown';
    await waitFor(isHeld, { message: 'the attempt is settled as unknown' });
    await waitFor(async () => (await market.cap('only'))?.held.length === 0, {
      message: 'its hold is gone',
    });
    expect(await market.cap('only')).toMatchObject({ total: { count: 1 } });
    const isLeft = async () => (await testbed.lead(id)).run === null;
    await waitFor(isLeft, { message: 'the run that repaired it has ended' });
    expect(await testbed.lead(id)).toMatchObject({ status: 'PENDING' });
  });

  it.each([
    ['too many', 3],
    ['too few', -1],
  ])('a counter that shows %s is correct after two runs, and not after one', async (_name, by) => {
    const { market } = await sellOne();
    await count(market, by);
    await testbed.repair();
    expect(await market.cap('only')).toMatchObject({ total: { count: 1 + by } });
    await rested();
    await testbed.repair();
    expect(await market.cap('only')).toMatchObject({
      day: { count: 1, amount: 10_000_000 },
      week: { count: 1 },
      month: { count: 1 },
      total: { count: 1, amount: 10_000_000 },
    });
  });

  it('an idempotency key without a lead is free again', async () => {
    const { idempotency } = testbed.collections;
    const claimed = (ms: number) => new Date(Date.now() - ms + DAY_MS);
    const orphan = { body_hash: 'hash', lead_id: randomUUID() };
    const { id } = await (await testbed.market({ buyers: { only: { answer: () => YES } } })).post();
    const prefix = randomUUID();
    await idempotency.insertMany([
      { ...orphan, _id: `${prefix}:orphan`, expires_at: claimed(120_000) },
      { ...orphan, _id: `${prefix}:young`, expires_at: claimed(10_000) },
      { ...orphan, _id: `${prefix}:kept`, lead_id: id, expires_at: claimed(120_000) },
    ]);
    await testbed.repair();
    const left = await idempotency.find({ _id: { $regex: `^${prefix}` } }).toArray();
    expect(left.map(({ _id }) => _id).sort()).toEqual([`${prefix}:kept`, `${prefix}:young`]);
  });

  it('a sale confirmed after its request was abandoned is recorded, although the receiving process died', async () => {
    const { market, id, row } = await sellOne();
    // The lead is held; the buyer's late acceptance is only in the row.
    await testbed.collections.leads.updateOne(
      { _id: id },
      {
        $set: {
          status: 'PENDING',
          run: null,
          lease_until: null,
          buyer_id: null,
          price: 0,
          cost: 0,
          profit: 0,
          sales: [],
          pending_at: ago(60_000),
          created_at: ago(61_000),
        },
        $unset: { decided_at: true },
      },
    );
    await testbed.collections.deliveries.updateOne(
      { _id: row._id },
      { $set: { unbooked: true, settled_at: ago(60_000), run: 'another' } },
    );
    await testbed.repair();
    await waitFor(async () => (await market.lead(id)).status === 'ACCEPTED', {
      message: 'it is sold',
    });
    expect(await market.lead(id)).toMatchObject({
      buyer_id: market.account.buyers.only,
      price: 10_000_000,
    });
    expect(await market.cap('only')).toMatchObject({ total: { count: 1 }, held: [] });
    await testbed.repair();
    expect((await market.rows(id))[0]).not.toHaveProperty('unbooked');
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('a lead stored without its flag is the live lead that it was sold as', async () => {
    const { market, id } = await sellOne();
    await testbed.collections.leads.updateOne({ _id: id }, { $unset: { is_test: true } });
    expect(await testbed.repair()).toMatchObject({ test_flag: 1 });
    expect(await market.lead(id)).toMatchObject({ status: 'ACCEPTED', is_test: false });
    expect(await testbed.repair()).toMatchObject({ test_flag: 0 });
  });

  it('nothing is repaired without leftovers', async () => {
    const market = await testbed.market({ buyers: { only: { answer: () => YES } } });
    await Promise.all(Array.from({ length: 20 }, () => market.post()));
    // Twice: the second round would confirm what the first one found.
    for (let look = 0; look < 2; look++) {
      await rested();
      expect(await testbed.repair()).toEqual({
        account: 0,
        late_sale: 0,
        lead: 0,
        destination: 0,
        idempotency_key: 0,
        hold: 0,
        counter: 0,
        event: 0,
        rollup: 0,
        ping: 0,
        ping_event: 0,
        outcome: 0,
        outcome_window: 0,
        change_request: 0,
        return: 0,
        spreadsheet: 0,
        suppression_entry: 0,
        suppression_import: 0,
        plaintext: 0,
        sealed_value: 0,
        untold_lead: 0,
        endpoint: 0,
        test_flag: 0,
        time_zone: 0,
      });
    }
  });
});
