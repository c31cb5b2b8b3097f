/** Funnels of ping-post campaigns: buyers bid before they get the lead. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Market, type MarketSpec, type Testbed } from '../../support/testbed.js';
import { openVisited, someAnswers } from '../support/visitors.js';

describe('a page of a ping-post campaign', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const open = (spec: MarketSpec = {}) => {
    const campaign = { ...spec.campaign, routing_method: 'PING_POST' as const };
    const buyers = { low: { price: 8 }, high: { price: 12 } };
    return openVisited(testbed, { buyers, ...spec, campaign });
  };
  const pingsOf = ({ account }: Market) =>
    testbed.collections.pings.find({ campaign_id: account.campaignId }).toArray();

  it('is pinged, and posted to the best bid', async () => {
    const market = await open();
    const { site, leads, sentTo } = market;
    expect((await site.post({ t: site.token(), ...someAnswers() })).end).toBe('thanks');
    expect(await leads()).toMatchObject([
      { status: 'ACCEPTED', buyer_id: market.account.buyers.high, origin: { version: 1 } },
    ]);
    expect(await pingsOf(market)).toHaveLength(1);
    expect([sentTo('high').length, sentTo('low').length]).toEqual([1, 0]);
  });

  it('has no buyer where no buyer bids, and makes no lead', async () => {
    const { site, leads } = await open({ buyers: { only: { states: ['NY'] } } });
    expect((await site.post({ t: site.token(), ...someAnswers() })).end).toBe('no_buyer');
    expect(await leads()).toEqual([]);
  });

  it('is closed when a cap of its supplier is full, and refused when filters refuse it', async () => {
    const full = await open({ supplier: { caps: { daily_cap: 0 } } });
    expect((await full.site.post({ t: full.site.token(), ...someAnswers() })).end).toBe('closed');
    const texas = { id: 'tx', field: 'state', operator: 'IN' as const, value: ['TX'] };
    const strict = await open({ campaign: { filters: { all: [texas] } } });
    const form = { t: strict.site.token(), ...someAnswers() };
    expect((await strict.site.post(form)).end).toBe('refused');
    expect([...(await full.leads()), ...(await strict.leads())]).toEqual([]);
  });

  it('that is sent five times at once, and once more, makes one lead', async () => {
    const market = await open();
    const { site, leads, sentTo } = market;
    const form = { t: site.token(), ...someAnswers() };
    const clicks = await Promise.all(Array.from({ length: 5 }, () => site.post(form)));
    expect(clicks.map(({ end }) => end)).toEqual(clicks.map(() => 'thanks'));
    const pinged = (await pingsOf(market)).length;
    expect((await site.post(form)).end).toBe('thanks');
    // The pinged fields are not pinged again.
    expect(await pingsOf(market)).toHaveLength(pinged);
    expect(await leads()).toHaveLength(1);
    expect(sentTo('high')).toHaveLength(1);
  });

  it('of a bot is not pinged, and is kept as REJECTED', async () => {
    const market = await open();
    const { site, leads } = market;
    const form = { t: site.token(), ...someAnswers({ website: 'x' }) };
    expect((await site.post(form)).end).toBe('thanks');
    expect(await leads()).toMatchObject([{ status: 'REJECTED', origin: { suspect: 'honeypot' } }]);
    expect(await pingsOf(market)).toEqual([]);
  });
});
