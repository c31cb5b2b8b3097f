import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { YES } from '../../support/fakeBuyer.js';
import { waitFor } from '../../support/waitFor.js';
import { ago, startLaneBed, type Lane, type LaneBed } from '../../faults/drainFixture.js';
import { buyerOf, operatorOf, postUntil } from './operatorFixture.js';

const DOWN = { status: 503 };

describe('the events of a breaker', () => {
  let lanes: LaneBed;
  beforeAll(async () => {
    lanes = await startLaneBed();
  });
  afterAll(() => lanes.stop());

  const typesOf = async (lane: Lane, name: string) => {
    const found = await lanes.bed.collections.events
      .find({ 'data.buyer_id': buyerOf(lane, name) })
      .sort({ created_at: 1 })
      .toArray();
    return found.map(({ type }) => type);
  };

  it('are told once when a buyer fails for many at once, and once when it answers again', async () => {
    const lane = await lanes.open({ only: { answers: () => DOWN } });
    await Promise.all(Array.from({ length: 50 }, () => lane.post()));
    await waitFor(async () => (await typesOf(lane, 'only')).length > 0, {
      message: 'it is paused',
    });
    const buyer_id = buyerOf(lane, 'only');
    const { destinations, events } = lanes.bed.collections;
    // Probes fail, and it goes on being paused.
    await operatorOf(lanes).retry({ buyer_id });
    await waitFor(async () => ((await destinations.findOne({ _id: buyer_id }))?.probes ?? 0) > 0, {
      message: 'a probe has failed',
    });
    expect(await typesOf(lane, 'only')).toEqual(['buyer.paused']);
    lane.behave('only', () => YES);
    await operatorOf(lanes).retry({ buyer_id });
    await waitFor(async () => (await typesOf(lane, 'only')).includes('buyer.resumed'), {
      message: 'it is well again',
    });
    expect(await typesOf(lane, 'only')).toEqual(['buyer.paused', 'buyer.resumed']);
    expect(await events.findOne({ _id: `evt_${buyer_id}_1` })).toMatchObject({
      ...{ org_id: lane.account.orgId, type: 'buyer.paused' },
      data: { buyer_id, until: expect.any(Date), reason: 'http_503' },
    });
    await waitFor(
      async () =>
        (await lanes.bed.collections.leads.countDocuments({
          ...{ campaign_id: lane.account.campaignId, status: 'ACCEPTED' },
        })) === 50,
      { message: 'all are sold' },
    );
    expect(await destinations.findOne({ _id: buyer_id })).toMatchObject({
      ...{ events: [], paused_at: null, probes: 0 },
    });
  });

  it('are moved by reconcile where their writer died, and not before they are 10 s old', async () => {
    const lane = await lanes.open({ only: { answers: () => DOWN } });
    await postUntil(lane, 'parked');
    const buyer_id = buyerOf(lane, 'only');
    const leave = (created_at: Date, n: number) =>
      lanes.bed.collections.destinations.updateOne(
        { _id: buyer_id },
        {
          $push: {
            events: {
              ...{ _id: `evt_${buyer_id}_${n}`, org_id: lane.account.orgId, created_at },
              type: 'buyer.paused',
              data: { buyer_id, until: null, failures: 5, reason: 'http_503' },
            },
          },
        },
      );
    await leave(ago(5_000), 100);
    expect(await lanes.repair()).toMatchObject({ event: 0 });
    await leave(ago(11_000), 101);
    expect(await lanes.repair()).toMatchObject({ event: 2 });
    expect(await lanes.repair()).toMatchObject({ event: 0 });
    expect(await typesOf(lane, 'only')).toHaveLength(2);
  });
});
