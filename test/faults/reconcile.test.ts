import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lead } from '../../src/leads/rules/lead.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago, DOWN, startLaneBed, type Lane, type LaneBed } from './drainFixture.js';

describe('what a lost process or a lost signal left behind', () => {
  let lanes: LaneBed;

  beforeAll(async () => {
    lanes = await startLaneBed();
  });
  afterAll(async () => {
    await lanes.stop();
  });

  const becomes = (lane: Lane, id: string, status: string) =>
    waitFor(async () => (await lane.lead(id))?.status === status, {
      message: `lead ${id} is ${status}`,
    });

  /** A lead that waits for `first`, with nobody at work on it any more. */
  const forgotten = async (lane: Lane): Promise<string> => {
    const { id } = await lane.post();
    await waitFor(
      async () => {
        const rests = await lanes.bed.collections.destinations.findOne({
          _id: lane.account.buyers.first,
          awake: false,
          last_drain_at: { $exists: true },
        });
        return rests !== null && (await lane.rows(id)).some(({ state }) => state === 'parked');
      },
      { message: 'it is parked, and its drain rests' },
    );
    await lane.drainOf('first').terminate();
    await lanes.bed.collections.deliveries.updateOne(
      { lead_id: id, state: 'parked' },
      { $set: { due_at: ago(120_000) } },
    );
    await lanes.bed.collections.leads.updateOne(
      { _id: id },
      { $set: { created_at: ago(120_000) } },
    );
    await lanes.bed.collections.destinations.updateOne(
      { _id: lane.account.buyers.first },
      { $set: { awake: true, last_drain_at: ago(120_000), open_until: null, retry_at: null } },
    );
    return id;
  };
  /** As a worker leaves a lead that dies while it has it. */
  const abandon = (id: string, status: Lead['status']) =>
    lanes.bed.collections.leads.updateOne(
      { _id: id },
      { $set: { status, run: 'dead', lease_until: ago(60_000) }, $max: { takes: 1 } },
    );
  /** A lead of another person, stored and no more. */
  const insertCopy = async (lane: Lane, of: string, changes: Partial<Lead>): Promise<string> => {
    const lead = await lane.lead(of);
    if (!lead) throw new Error('no lead to copy');
    const _id = randomUUID();
    await lanes.bed.collections.leads.insertOne({
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
    const lane = await lanes.open({ first: { answers: () => DOWN } });
    const id = await forgotten(lane);
    lane.behave('first', () => YES);
    await lanes.repair();
    await becomes(lane, id, 'ACCEPTED');
  });

  it('withdraws a lead that was stored and never started', async () => {
    const lane = await lanes.open({ first: { answers: () => YES } });
    const { id } = await lane.post();
    const stored = await insertCopy(lane, id, {});
    await lanes.repair();
    await becomes(lane, stored, 'WITHDRAWN');
    expect(lane.requests('first')).toHaveLength(1);
  });

  it('finishes a lead whose run died before it asked anybody', async () => {
    const lane = await lanes.open({ first: { answers: () => YES } });
    const { id } = await lane.post();
    const stored = await insertCopy(lane, id, {
      run: 'dead',
      lease_until: ago(50_000),
      takes: 1,
    });
    await lanes.repair();
    await becomes(lane, stored, 'ACCEPTED');
    expect(await lane.cap('first')).toMatchObject({ total: { count: 2 }, held: [] });
  });

  /** Tried `first` (down) and `second` (refused); `third` was resting. Parked for `first`: row 1 of 2. */
  const triedTwo = async () => {
    const lane = await lanes.open({
      first: { answers: () => DOWN },
      second: { answers: () => NO },
      third: { answers: () => YES },
    });
    const third = lane.account.buyers.third ?? '';
    const { destinations } = lanes.bed.collections;
    await destinations.insertOne({
      _id: third,
      org_id: lane.account.orgId,
      awake: false,
      awake_at: ago(0),
      pauses: 1,
      failures: 9,
      open_until: ago(-600_000),
      retry_at: ago(-600_000),
    });
    const id = await forgotten(lane);
    expect(await lane.rows(id)).toMatchObject([{ state: 'parked' }, { state: 'rejected' }]);
    await destinations.updateOne(
      { _id: third },
      { $set: { open_until: null, retry_at: null, failures: 0 } },
    );
    return { lane, id };
  };

  it('holds a lead that was on its way to the buyer it had waited for, and sells it to no other', async () => {
    const { lane, id } = await triedTwo();
    await lanes.bed.collections.deliveries.updateOne(
      { _id: `${id}:1` },
      { $set: { state: 'sending', run: 'dead', answer_by: ago(30_000) } },
    );
    await abandon(id, 'PENDING');
    await lanes.repair();
    await waitFor(async () => (await lane.rows(id))[0]?.state !== 'sending', {
      message: 'its request is given up',
    });
    await waitFor(async () => (await lane.lead(id))?.run === null, { message: 'its run is over' });
    expect(await lane.lead(id)).toMatchObject({ status: 'PENDING' });
    expect(await lane.rows(id)).toMatchObject([{ state: 'unknown' }, { state: 'rejected' }]);
    expect(lane.requests('third')).toHaveLength(0);
  });

  it('leaves a lead parked whose run died before it said so', async () => {
    const { lane, id } = await triedTwo();
    await abandon(id, 'NEW');
    lane.behave('first', () => YES);
    await lanes.repair();
    await becomes(lane, id, 'ACCEPTED');
    expect(await lane.lead(id)).toMatchObject({ buyer_id: lane.account.buyers.first });
    expect(lane.requests('third')).toHaveLength(0);
    expect(await lane.cap('first')).toMatchObject({ total: { count: 1 }, held: [] });
  });

  it('ends a drain whose only row is past its age and of a lead that was decided otherwise', async () => {
    const lane = await lanes.open({ first: { answers: () => DOWN } });
    const id = await forgotten(lane);
    await lanes.bed.collections.deliveries.updateOne(
      { lead_id: id },
      { $set: { expires_at: ago(90_000) } },
    );
    await lanes.bed.collections.leads.updateOne({ _id: id }, { $set: { status: 'EXPIRED' } });
    await lanes.repair();
    await waitFor(
      async () => (await lane.drainOf('first').describe()).status.name === 'COMPLETED',
      { message: 'the drain ends', timeoutMs: 5_000 },
    );
    expect(await lane.cap('first')).toMatchObject({ total: { count: 0 }, held: [] });
  });
});
