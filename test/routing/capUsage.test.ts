/** The use of caps is what routing enforces: a cap that shows nothing left takes no lead. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReturnTestbed, type ReturnTestbed } from '../outcomes/returns/returnTestbed.js';
import { waitFor } from '../support/waitFor.js';

interface Usage {
  scope: string;
  campaign_name: string;
  buyer_name: string | null;
  window: string;
  of: string;
  limit: number;
  used: number;
  held: number;
  left: number;
  used_pct: number;
  resets_at: string | null;
}

describe('the use of caps', () => {
  let testbed: ReturnTestbed;
  beforeAll(async () => {
    testbed = await startReturnTestbed();
  });
  afterAll(() => testbed.stop());

  it('grows with each sale until no lead is sold any more, and names what is nearly full', async () => {
    const market = await testbed.market({
      buyers: { only: { price: 2.5, caps: { daily_cap: 3, total_budget: 100 } } },
      campaign: { caps: { monthly_cap: 50 } },
    });
    const usage = (input: object = {}) => testbed.done<Usage[]>(market, 'get_cap_usage', input);
    const shown = ({ scope, window, of, limit, used, held, left }: Usage) => [
      scope,
      window,
      of,
      limit,
      used,
      held,
      left,
    ];
    expect((await usage()).map(shown)).toEqual([
      ['campaign', 'month', 'count', 50, 0, 0, 50],
      ['buyer', 'day', 'count', 3, 0, 0, 3],
      ['buyer', 'total', 'budget', 100, 0, 0, 100],
    ]);
    for (let n = 0; n < 3; n++) await testbed.sold(market);
    await waitFor(async () => (await usage()).every(({ held }) => held === 0), {
      message: 'nothing is in flight',
    });
    const full = await usage();
    expect(full.map(shown)).toEqual([
      ['campaign', 'month', 'count', 50, 3, 0, 47],
      ['buyer', 'day', 'count', 3, 3, 0, 0],
      ['buyer', 'total', 'budget', 100, 7.5, 0, 92.5],
    ]);
    const { id } = await market.post();
    expect((await market.lead(id)).sales).toEqual([]);
    expect((await usage({ nearly_full: true })).map(shown)).toEqual([shown(full[1] as Usage)]);
    expect(full[1]).toMatchObject({ used_pct: 100, buyer_name: expect.any(String) });
    expect(Date.parse(full[1]?.resets_at ?? '')).toBeGreaterThan(Date.now());
    const buyer_id = market.account.buyers.only;
    expect((await usage({ buyer_id })).map(({ scope }) => scope)).toEqual(['buyer', 'buyer']);
  });

  it('shows the places of leads in flight as held, and frees them where they are not sold', async () => {
    const market = await testbed.market({
      buyers: {
        only: {
          caps: { daily_cap: 5 },
          answer: () => ({ status: 422, delayMs: 1_500 }),
        },
      },
    });
    const usage = () => testbed.done<Usage[]>(market, 'get_cap_usage', {});
    const posted = market.post();
    await waitFor(async () => (await usage())[0]?.held === 1, { message: 'it is in flight' });
    expect((await usage())[0]).toMatchObject({ used: 1, held: 1, left: 4 });
    await posted;
    await waitFor(async () => (await usage())[0]?.used === 0, { message: 'its place is free' });
    expect((await usage())[0]).toMatchObject({ used: 0, held: 0, left: 5 });
  });
});
