import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { costOf } from '../../../src/leads/rules/saleMoney.js';
import type { MarketSpec } from '../../support/testbed.js';
import { startReturnTestbed, type Returned, type ReturnTestbed } from './returnTestbed.js';

const MICROS = 1_000_000;

describe('the cost of a lead of several sales, of which one is returned', () => {
  let testbed: ReturnTestbed;
  beforeAll(async () => {
    testbed = await startReturnTestbed();
  });
  afterAll(() => testbed.stop());

  /** Sold to the first and the second; the third gets what is sold again. */
  const open = async (supplier: MarketSpec['supplier']) => {
    const market = await testbed.market({
      timeZone: 'America/New_York',
      campaign: { max_sells: 2 },
      buyers: { first: {}, second: { price: 8 }, third: { price: 6 } },
      ...(supplier ? { supplier } : {}),
    });
    const lead_id = await testbed.sold(market);
    await testbed.becomes(lead_id, 'ACCEPTED');
    const gives = async (buyer: string, resell: boolean): Promise<Returned> => {
      const buyer_id = market.account.buyers[buyer];
      const rules = { buyer_id, reverse_cost: true, resell, auto_accept_hours: 0 };
      await testbed.done(market, 'set_buyer_returns', rules);
      const asked = { lead_id, buyer_id, reason: 'duplicate' };
      return testbed.done<Returned>(market, 'request_return', asked);
    };
    const costs = async (id = lead_id) => {
      const { cost, profit, price, sales } = await testbed.lead(id);
      expect(profit).toBe(price - cost);
      return [cost, ...sales.map(costOf)].map((micros) => micros / MICROS);
    };
    return { market, lead_id, gives, costs };
  };

  it('stays what it is while the other buyer has the lead, where it is FIXED', async () => {
    const { market, gives, costs } = await open({ cost_per_lead: 4 });
    expect(await costs()).toEqual([4, 4, 0]);
    const { resale_lead_id } = await gives('first', true);
    expect(await costs()).toEqual([4, 0, 4]);
    // Its supplier has the one cost of the lead, and gets no second one for the sale that replaces the first.
    const resold = await testbed.becomes(resale_lead_id ?? '', 'ACCEPTED');
    expect(resold).toMatchObject({ cost: 0, resale: { paid: true } });
    expect(resold.buyer_id).toBe(market.account.buyers.third);
    // The third has the lead still.
    await gives('second', false);
    expect(await costs()).toEqual([4, 0, 4]);
  });

  it('is reversed with the last sale, where it is FIXED and nobody has the lead any longer', async () => {
    const { market, lead_id, gives, costs } = await open({ cost_per_lead: 4 });
    await gives('first', false);
    await gives('second', false);
    expect(await costs()).toEqual([0, 0, 0]);
    expect(await testbed.done(market, 'get_lead', { lead_id })).toMatchObject({
      status: 'RETURNED',
      cost: 0,
      sales: [{ cost: 0 }, { cost: 0 }],
    });
  });

  it('is that of each sale, and of the one that replaces it, where it is a share', async () => {
    const share = { cost_mode: 'REVENUE_SHARE', revenue_share: 50 } as const;
    const { gives, costs } = await open(share);
    expect(await costs()).toEqual([9, 5, 4]);
    const { resale_lead_id } = await gives('first', true);
    expect(await costs()).toEqual([4, 0, 4]);
    const resold = await testbed.becomes(resale_lead_id ?? '', 'ACCEPTED');
    expect(resold).toMatchObject({ cost: 3 * MICROS, resale: { paid: false } });
    expect(await costs(resold._id)).toEqual([3, 3]);
  });
});
