/** Events of sold leads, as automations receive them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Market } from '../../support/testbed.js';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { waitFor } from '../../support/waitFor.js';
import { startReturnTestbed, type Returned, type ReturnTestbed } from './returnTestbed.js';

describe('the events of a sold lead', () => {
  let testbed: ReturnTestbed;
  let receiver: FakeBuyer;
  beforeAll(async () => {
    [testbed, receiver] = await Promise.all([startReturnTestbed(), startFakeBuyer()]);
  });
  afterAll(() => Promise.all([testbed.stop(), receiver.stop()]));

  const automate = async (market: Market): Promise<void> => {
    for (const trigger of ['lead.outcome', 'lead.returned'])
      await testbed.done(market, 'create_automation', {
        trigger,
        action: 'WEBHOOK',
        target: { url: `${receiver.url}/${trigger}` },
      });
  };
  const told = (leadId: string) =>
    receiver.requests
      .map(({ path, body }) => ({ path, type: body.type, data: body.data as { lead_id: string } }))
      .filter(({ data }) => data.lead_id === leadId);
  const convert = (market: Market, lead_id: string) =>
    testbed.done(market, 'record_outcome', {
      lead_id,
      outcome: 'converted',
      conversion_revenue: 30,
    });

  it('are lead.outcome and lead.returned, once each, with the lead as it was then', async () => {
    const market = await testbed.market({ buyers: { first: {} } });
    await automate(market);
    const lead_id = await testbed.sold(market);
    await convert(market, lead_id);
    await waitFor(() => told(lead_id).length === 1, { message: 'the outcome is told' });
    const request = { lead_id, reason: 'other' };
    const { id: return_id } = await testbed.done<Returned>(market, 'request_return', request);
    await testbed.done(market, 'resolve_return', { return_id, result: 'accept' });
    await waitFor(() => told(lead_id).length === 2, { message: 'the return is told' });
    expect(told(lead_id)).toMatchObject([
      {
        path: '/lead.outcome',
        type: 'lead.outcome',
        data: { status: 'converted', outcome: 'converted', revenue: 30, is_test: false },
      },
      { path: '/lead.returned', type: 'lead.returned', data: { status: 'RETURNED', revenue: 0 } },
    ]);
  });

  it('leave out the outcome of a test lead', async () => {
    const market = await testbed.market({ buyers: { first: {} } });
    await automate(market);
    const buyer_id = market.account.buyers.first ?? '';
    await testbed.done(market, 'update_buyer', { buyer_id, test_mode: true });
    const { data } = await market.post({ test_lead: true });
    expect(data?.buyer_id).toBe(buyer_id);
    await convert(market, data?.id ?? '');
    expect(await testbed.lead(data?.id)).toMatchObject({ outcome: 'converted', is_test: true });
    await testbed.done(market, 'update_buyer', { buyer_id, test_mode: false });
    const sold = await testbed.sold(market);
    await convert(market, sold);
    // An event of the test lead would have been sent before this one.
    await waitFor(() => told(sold).length === 1, {
      message: 'the outcome of the live lead is told',
    });
    expect(told(data?.id ?? '')).toEqual([]);
    const wanted = { org_id: market.account.orgId, type: 'lead.outcome' as const };
    expect(await testbed.collections.events.countDocuments(wanted)).toBe(1);
  });
});
