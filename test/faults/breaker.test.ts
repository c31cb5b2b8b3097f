/** A minute of 503, without waiting for it: the buyer is asked ever less often, and gets its leads when it is well. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DestinationDoc } from '../../src/deliveries/store/destinationDoc.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago, DOWN, startLaneBed, type Lane, type LaneBed } from './drainFixture.js';

/** How long the breaker stays open, time after time, in seconds (contract 6.6). */
const RESTS = [5, 10, 20, 40, 60, 60];

describe('a buyer that says 503', () => {
  let lanes: LaneBed;
  beforeAll(async () => {
    lanes = await startLaneBed();
  });
  afterAll(() => lanes.stop());

  const health = async (lane: Lane) => {
    const _id = lane.account.buyers.sick;
    const found = await lanes.bed.collections.destinations.findOne({ _id });
    if (!found) throw new Error('The buyer has not failed yet');
    return found;
  };
  const setHealth = (lane: Lane, changes: Partial<DestinationDoc>) =>
    lanes.bed.collections.destinations.updateOne(
      { _id: lane.account.buyers.sick },
      { $set: changes },
    );
  /** As if so much time had passed that it may be asked again. */
  const endRest = (lane: Lane) => setHealth(lane, { open_until: ago(1_000), retry_at: ago(1_000) });

  it('is asked once a rest, of 5 s to 60 s, and passed by meanwhile; the first yes ends it', async () => {
    const lane = await lanes.open({
      sick: { answers: () => DOWN },
      well: { answers: () => YES },
    });
    const postTo = async (name: 'sick' | 'well') => {
      const answer = await lane.post();
      expect(answer.data?.buyer_id).toBe(lane.account.buyers[name]);
      return answer.id;
    };
    for (let n = 1; n <= 4; n++) await postTo('well');
    expect((await health(lane)).failures).toBe(4);
    // However long those took: the next failure begins the first rest.
    await setHealth(lane, { pauses: 0, retry_at: ago(1_000) });
    let asked = 4;
    for (const seconds of RESTS) {
      const began = Date.now();
      await postTo('well');
      asked += 1;
      expect(lane.requests('sick')).toHaveLength(asked);
      const { open_until } = await health(lane);
      const rest = Number(open_until) - began;
      // From the moment of the failure, which is between the two looks.
      expect(rest).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(rest).toBeLessThanOrEqual(seconds * 1_000 + (Date.now() - began));
      const id = await postTo('well');
      expect(lane.requests('sick')).toHaveLength(asked);
      expect((await lane.lead(id))?.trail).toContainEqual(
        expect.objectContaining({
          ...{ step: 'routing', result: 'skipped', reason: 'breaker_open' },
          buyer_id: lane.account.buyers.sick,
        }),
      );
      await endRest(lane);
    }
    lane.behave('sick', () => YES);
    await postTo('sick');
    expect(await health(lane)).toMatchObject({ failures: 0, pauses: 0, open_until: null });
    await postTo('sick');
    expect(await lane.cap('sick')).toMatchObject({ total: { count: 2 }, held: [] });
    expect(await lane.cap('well')).toMatchObject({ total: { count: 16 }, held: [] });
  });

  it('is well while it rejects leads, however many, and is asked for each', async () => {
    const lane = await lanes.open({ sick: { answers: () => NO }, well: { answers: () => YES } });
    for (let n = 1; n <= 12; n++)
      expect((await lane.post()).data?.buyer_id).toBe(lane.account.buyers.well);
    expect(lane.requests('sick')).toHaveLength(12);
    const _id = lane.account.buyers.sick;
    const found = await lanes.bed.collections.destinations.findOne({ _id });
    expect(found?.failures ?? 0).toBe(0);
    expect(found?.open_until ?? null).toBeNull();
  });

  it('gets what waits for it as soon as one lead has found it well, each once', async () => {
    const lane = await lanes.open({ sick: { answers: () => DOWN } });
    const posted: Awaited<ReturnType<Lane['post']>>[] = [];
    for (let n = 0; n < 12; n++) posted.push(await lane.post());
    expect(posted.map(({ data }) => data?.delivery)).toEqual(posted.map(() => 'pending'));
    // Those after the breaker opened were not sent at all.
    const before = lane.requests('sick').length;
    expect(before).toBeLessThan(12);
    expect(await lane.cap('sick')).toMatchObject({ total: { count: 12 }, held: [] });
    lane.behave('sick', () => YES);
    await endRest(lane);
    expect((await lane.post()).data?.delivery).toBe('delivered');
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => lane.lead(id)))).every(
          (lead) => lead?.status === 'ACCEPTED',
        ),
      { message: 'all that waited are sold' },
    );
    const after = lane.requests('sick').slice(before);
    expect(new Set(after.map(({ leadId }) => leadId)).size).toBe(13);
    expect(after).toHaveLength(13);
    expect(await lane.cap('sick')).toMatchObject({ total: { count: 13 } });
  });
});
