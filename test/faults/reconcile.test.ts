import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

describe('reconcile after a lost process or a lost signal', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed({ own: true });
  });
  afterAll(async () => {
    await testbed.stop();
  });

  /** A lead that waits for `first`, and that no run holds any more. */
  const forgotten = async (market: Market): Promise<string> => {
    const { id } = await market.post();
    await waitFor(
      async () => {
        const rests = await testbed.collections.destinations.findOne({
          _id: market.account.buyers.first,
          awake: false,
          last_drain_at: { $exists: true },
        });
        return rests !== null && (await market.rows(id)).some(({ state }) => state === 'parked');
      },
      { message: 'it is parked, and its drain rests' },
    );
    await market.drainOf('first').terminate();
    await testbed.collections.deliveries.updateOne(
      { lead_id: id, state: 'parked' },
      { $set: { due_at: ago(120_000) } },
    );
    await testbed.collections.leads.updateOne({ _id: id }, { $set: { created_at: ago(120_000) } });
    await testbed.collections.destinations.updateOne(
      { _id: market.account.buyers.first },
      { $set: { awake: true, last_drain_at: ago(120_000), open_until: null, retry_at: null } },
    );
    return id;
  };
  /** The state in which a dying worker leaves a lead. */
  const abandon = (id: string, status: Lead['status']) =>
    testbed.collections.leads.updateOne(
      { _id: id },
      { $set: { status, run: 'dead', lease_until: ago(60_000) }, $max: { takes: 1 } },
    );
  /** A lead of another person, stored and not started. */
  const insertCopy = async (
    market: Market,
    of: string,
    changes: Partial<Lead>,
  ): Promise<string> => {
    const lead = await market.lead(of);
    const _id = randomUUID();
    await testbed.collections.leads.insertOne({
      ...lead,
      _id,
      status: 'NEW',
      fields: { ...lead.fields, phone: '+15552999999', email: `${_id}@example.com` },
      keys: [],
      created_at: ago(60_000),
      take_by: ago(55_000),
      takes: 0,
      run: null,
      lease_until: null,
      buyer_id: null,
      sales: [],
      trail: [],
      ...changes,
    });
    return _id;
  };

  it('drains a queue whose wake-up call was lost', async () => {
    const market = await testbed.market({ buyers: { first: { answer: () => DOWN } } });
    const id = await forgotten(market);
    market.behave('first', () => YES);
    await testbed.repair();
    await market.becomes(id, 'ACCEPTED');
  });

  it('withdraws a lead that was stored and never started', async () => {
    const market = await testbed.market({ buyers: { first: { answer: () => YES } } });
    const { id } = await market.post();
    const stored = await insertCopy(market, id, {});
    await testbed.repair();
    await market.becomes(stored, 'WITHDRAWN');
    expect(market.sentTo('first')).toHaveLength(1);
  });

  it('finishes a lead whose lease died before any buyer was asked', async () => {
    const market = await testbed.market({ buyers: { first: { answer: () => YES } } });
    const { id } = await market.post();
    const stored = await insertCopy(market, id, {
      run: 'dead',
      lease_until: ago(50_000),
      takes: 1,
    });
    await testbed.repair();
    await market.becomes(stored, 'ACCEPTED');
    expect(await market.cap('first')).toMatchObject({ total: { count: 2 }, held: [] });
  });

  /** Tried `first` (down) and `second` (refused); `third` was unavailable. Parked for `first`: row 1 of 2. */
  const triedTwo = async () => {
    const market = await testbed.market({
      buyers: {
        first: { answer: () => DOWN },
        second: { answer: () => NO },
        third: { answer: () => YES },
      },
    });
    const third = market.account.buyers.third ?? '';
    const { destinations } = testbed.collections;
    await destinations.insertOne({
      _id: third,
      org_id: market.account.orgId,
      awake: false,
      awake_at: ago(0),
      pauses: 1,
      failures: 9,
      open_until: ago(-600_000),
      retry_at: ago(-600_000),
    });
    const id = await forgotten(market);
    expect(await market.rows(id)).toMatchObject([{ state: 'parked' }, { state: 'rejected' }]);
    await destinations.updateOne(
      { _id: third },
      { $set: { open_until: null, retry_at: null, failures: 0 } },
    );
    return { market, id };
  };

  it('holds a lead that was in transit to the buyer it had waited for, and sells it to no other', async () => {
    const { market, id } = await triedTwo();
    await testbed.collections.deliveries.updateOne(
      { _id: `${id}:1` },
      { $set: { state: 'sending', run: 'dead', answer_by: ago(30_000) } },
    );
    await abandon(id, 'PENDING');
    await testbed.repair();
    await waitFor(async () => (await market.rows(id))[0]?.state !== 'sending', {
      message: 'its request is given up',
    });
    await waitFor(async () => (await market.lead(id)).run === null, { message: 'its run is over' });
    expect(await market.lead(id)).toMatchObject({ status: 'PENDING' });
    expect(await market.rows(id)).toMatchObject([{ state: 'unknown' }, { state: 'rejected' }]);
    expect(market.sentTo('third')).toHaveLength(0);
  });

  it('leaves a lead parked whose lease died before it reported that', async () => {
    const { market, id } = await triedTwo();
    await abandon(id, 'NEW');
    market.behave('first', () => YES);
    await testbed.repair();
    await market.becomes(id, 'ACCEPTED');
    expect(await market.lead(id)).toMatchObject({ buyer_id: market.account.buyers.first });
    expect(market.sentTo('third')).toHaveLength(0);
    expect(await market.cap('first')).toMatchObject({ total: { count: 1 }, held: [] });
  });

  it('ends a drain whose only row is past its age limit and belongs to a decided lead', async () => {
    const market = await testbed.market({ buyers: { first: { answer: () => DOWN } } });
    const id = await forgotten(market);
    await testbed.collections.deliveries.updateOne(
      { lead_id: id },
      { $set: { expires_at: ago(90_000) } },
    );
    await testbed.collections.leads.updateOne({ _id: id }, { $set: { status: 'EXPIRED' } });
    await testbed.repair();
    await waitFor(
      async () => (await market.drainOf('first').describe()).status.name === 'COMPLETED',
      { message: 'the drain ends', timeoutMs: 5_000 },
    );
    expect(await market.cap('first')).toMatchObject({ total: { count: 0 }, held: [] });
  });
});
