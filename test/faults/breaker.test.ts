/** A minute of 503, without waiting for it: the buyer is asked ever less often, and gets its leads when it recovers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DestinationDoc } from '../../src/deliveries/store/destinationDoc.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago } from '../support/times.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

/** How long the breaker stays open, each time, in seconds (contract 6.6). */
const RESTS = [5, 10, 20, 40, 60, 60];

describe('a buyer that says 503', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const health = async (market: Market) => {
    const _id = market.account.buyers.sick;
    const found = await testbed.collections.destinations.findOne({ _id });
    if (!found) throw new Error('The buyer has not failed yet');
    return found;
  };
  const setHealth = (market: Market, changes: Partial<DestinationDoc>) =>
    testbed.collections.destinations.updateOne(
      { _id: market.account.buyers.sick },
      { $set: changes },
    );
  /** Ends the cooldown, as if its time had passed. */
  const endRest = (market: Market) =>
    setHealth(market, { open_until: ago(1_000), retry_at: ago(1_000) });

  it('is probed once per cooldown of 5 s to 60 s, and passed over meanwhile; the first acceptance ends it', async () => {
    const market = await testbed.market({
      buyers: {
        sick: { answer: () => DOWN },
        well: { answer: () => YES },
      },
    });
    const postTo = async (name: 'sick' | 'well') => {
      const answer = await market.post();
      expect(answer.data?.buyer_id).toBe(market.account.buyers[name]);
      return answer.id;
    };
    for (let n = 1; n <= 4; n++) await postTo('well');
    expect((await health(market)).failures).toBe(4);
    let asked = 4;
    for (const seconds of RESTS) {
      const began = Date.now();
      await postTo('well');
      asked += 1;
      expect(market.sentTo('sick')).toHaveLength(asked);
      const { open_until } = await health(market);
      const rest = Number(open_until) - began;
      // Counted from the moment of the failure, which is between the two clock readings.
      expect(rest).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(rest).toBeLessThanOrEqual(seconds * 1_000 + (Date.now() - began));
      const id = await postTo('well');
      expect(market.sentTo('sick')).toHaveLength(asked);
      expect((await market.lead(id)).trail).toContainEqual(
        expect.objectContaining({
          step: 'routing',
          result: 'skipped',
          reason: 'breaker_open',
          buyer_id: market.account.buyers.sick,
        }),
      );
      await endRest(market);
    }
    market.behave('sick', () => YES);
    await postTo('sick');
    expect(await health(market)).toMatchObject({ failures: 0, pauses: 0, open_until: null });
    await postTo('sick');
    expect(await market.cap('sick')).toMatchObject({ total: { count: 2 }, held: [] });
    expect(await market.cap('well')).toMatchObject({ total: { count: 16 }, held: [] });
  });

  it('is healthy while it rejects leads, however many, and is asked for each', async () => {
    const market = await testbed.market({
      buyers: { sick: { answer: () => NO }, well: { answer: () => YES } },
    });
    for (let n = 1; n <= 12; n++)
      expect((await market.post()).data?.buyer_id).toBe(market.account.buyers.well);
    expect(market.sentTo('sick')).toHaveLength(12);
    const _id = market.account.buyers.sick;
    const found = await testbed.collections.destinations.findOne({ _id });
    expect(found?.failures ?? 0).toBe(0);
    expect(found?.open_until ?? null).toBeNull();
  });

  it('gets all waiting leads, each once, as soon as one is accepted', async () => {
    const market = await testbed.market({ buyers: { sick: { answer: () => DOWN } } });
    const posted: Awaited<ReturnType<Market['post']>>[] = [];
    for (let n = 0; n < 12; n++) posted.push(await market.post());
    expect(posted.map(({ data }) => data?.delivery)).toEqual(posted.map(() => 'pending'));
    // Leads after the breaker opened were not sent.
    const before = market.sentTo('sick').length;
    expect(before).toBeLessThan(12);
    expect(await market.cap('sick')).toMatchObject({ total: { count: 12 }, held: [] });
    market.behave('sick', () => YES);
    await endRest(market);
    expect((await market.post()).data?.delivery).toBe('delivered');
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => market.lead(id)))).every(
          (lead) => lead.status === 'ACCEPTED',
        ),
      { message: 'all that waited are sold' },
    );
    const after = market.sentTo('sick').slice(before);
    expect(new Set(after.map(({ leadId }) => leadId)).size).toBe(13);
    expect(after).toHaveLength(13);
    expect(await market.cap('sick')).toMatchObject({ total: { count: 13 } });
  });
});
