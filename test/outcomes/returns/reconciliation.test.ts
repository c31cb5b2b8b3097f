import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deps } from '../../../src/app/deps.js';
import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { linkSupplier } from '../../../src/account/links/supplierLinks.js';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import type { Market } from '../../support/testbed.js';
import { NO, YES, type Behavior, type BuyerRequest } from '../../support/fakeBuyer.js';
import { waitFor } from '../../support/waitFor.js';
import { startReturnTestbed, type Returned, type ReturnTestbed } from './returnTestbed.js';

interface Figures {
  sent: number;
  sales: number;
  revenue: number;
}
interface Reconciliation {
  buyer: string;
  total: Figures;
  campaigns: (Figures & { campaign: string })[];
}

const BY = { kind: 'user' } as const;

/** The buyer's behavior for a lead of that state. */
const ANSWERS: Record<string, Behavior> = { CA: YES, TX: NO, NV: 'hang' };
const answer = ({ body }: BuyerRequest): Behavior => ANSWERS[String(body.state)] ?? YES;

describe('the reconciliation with a buyer', () => {
  let testbed: ReturnTestbed;
  let deps: Deps;

  beforeAll(async () => {
    testbed = await startReturnTestbed();
    ({ deps } = await testbed.otherApi());
  });
  afterAll(() => testbed.stop());

  const open = () =>
    testbed.market({
      buyers: {
        // Long enough that only a hanging buyer times out, however busy the machine is.
        first: { answer, delivery: { timeout_ms: 1_500, on_unknown: 'fail_over' } },
        second: {},
      },
    });
  const read = (market: Market, input: object = {}) =>
    testbed.done<Reconciliation>(market, 'get_buyer_reconciliation', {
      buyer_id: market.account.buyers.first,
      ...input,
    });
  const convert = async ({ account }: Market, leadId: string, paid: number) => {
    await deps.saleChanges.make({
      body_hash: leadId,
      org_id: account.orgId,
      campaign_id: account.campaignId,
      lead_id: leadId,
      buyer_id: account.buyers.first ?? '',
      by: BY,
      ask: { kind: 'outcome', outcome: 'converted', conversion_revenue: paid },
    });
  };

  it('counts what was sent, refused, never answered, returned and converted, and its money', async () => {
    const market = await open();
    const states = ['CA', 'CA', 'CA', 'CA', 'TX', 'TX', 'NV'];
    const posted = await Promise.all(states.map((state) => market.post({ state })));
    await waitFor(async () => (await market.leads()).every(({ status }) => status === 'ACCEPTED'), {
      message: 'every lead is sold',
    });
    const [kept = '', returned = ''] = posted.map(({ data }) => data?.id);
    await convert(market, kept, 25_000_000);
    await convert(market, returned, 30_000_000);
    const asked = { lead_id: returned, reason: 'duplicate' };
    const { id } = await testbed.done<Returned>(market, 'request_return', asked);
    await testbed.done(market, 'resolve_return', { return_id: id, result: 'accept' });
    await market.post({ state: 'CA', test_lead: true });
    const expected = {
      sent: 7,
      accepted: 4,
      rejected: 2,
      unknown: 1,
      expired: 0,
      sales: 4,
      returned: 1,
      converted: 1,
      not_qualified: 0,
      revenue: 45,
      conversion_revenue: 25,
      reversed: 30,
    };
    expect(await read(market)).toMatchObject({
      buyer: 'first',
      total: expected,
      campaigns: [{ campaign: 'Campaign', ...expected }],
    });
  });

  it('adds up its campaigns, or returns one of them', async () => {
    const market = await open();
    const { orgId: org_id, buyers, suppliers } = market.account;
    const other = await createCampaign(accountOf(testbed, org_id), {
      name: 'Other',
      status: 'ACTIVE',
    });
    const ids = { org_id, campaign_id: other._id };
    await linkBuyer(
      accountOf(testbed, ids.org_id),
      { ...ids, buyer_id: buyers.first ?? '' },
      { price: 3 },
    );
    const supplier_id = suppliers[0]?.id ?? '';
    await linkSupplier(accountOf(testbed, ids.org_id), { ...ids, supplier_id }, {});
    await market.post();
    await market.post({ flo_campaign_id: other._id });
    const { total, campaigns } = await read(market);
    expect(total).toMatchObject({ sent: 2, sales: 2, revenue: 13 });
    expect(campaigns.map(({ campaign, revenue }) => [campaign, revenue])).toEqual([
      ['Campaign', 10],
      ['Other', 3],
    ]);
    const only = await read(market, { campaign_id: other._id });
    expect([only.total.revenue, only.campaigns.length]).toEqual([3, 1]);
  });

  it('includes deliveries in campaigns that the buyer has left, sold or not', async () => {
    const market = await open();
    const { orgId: org_id, buyers, suppliers } = market.account;
    const { collections } = testbed;
    const left = await createCampaign(accountOf({ collections }, org_id), {
      name: 'Left',
      status: 'ACTIVE',
    });
    const ids = { org_id, campaign_id: left._id };
    const buyer_id = buyers.first ?? '';
    await linkBuyer(accountOf({ collections }, ids.org_id), { ...ids, buyer_id }, { price: 3 });
    await linkSupplier(
      accountOf({ collections }, ids.org_id),
      { ...ids, supplier_id: suppliers[0]?.id ?? '' },
      {},
    );
    await market.post({ flo_campaign_id: left._id, state: 'CA' });
    await market.post({ flo_campaign_id: left._id, state: 'TX' });
    await market.post({ state: 'TX' });
    const { campaignId: campaign_id } = market.account;
    for (const id of [left._id, campaign_id])
      await collections.campaignBuyers.deleteOne({ _id: `${id}:${buyer_id}` });
    const { total, campaigns } = await read(market);
    expect(total).toMatchObject({ sent: 3, accepted: 1, rejected: 2, sales: 1, revenue: 3 });
    expect(campaigns).toMatchObject([
      { campaign: 'Left', sent: 2, accepted: 1, rejected: 1, sales: 1, revenue: 3 },
      { campaign: 'Campaign', sent: 1, accepted: 0, rejected: 1, sales: 0, revenue: 0 },
    ]);
    const only = await read(market, { campaign_id });
    expect(only).toMatchObject({ total: { sent: 1, rejected: 1 } });
  });

  it('is that of one buyer: another one has no figures, and an unknown one no reconciliation', async () => {
    const market = await open();
    await market.post();
    const nobody = await testbed.done<Reconciliation>(market, 'get_buyer_reconciliation', {
      buyer_id: market.account.buyers.second,
    });
    expect(nobody).toMatchObject({ total: { sent: 0, revenue: 0, reversed: 0 }, campaigns: [] });
    const unknown = await testbed.call(market, 'get_buyer_reconciliation', { buyer_id: 'nobody' });
    expect(unknown.message).toBe('There is no buyer nobody.');
  });
});
