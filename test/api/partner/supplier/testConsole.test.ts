import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyer } from '../../../../src/account/buyers/buyers.js';
import type { CampaignInput } from '../../../../src/account/campaigns/campaigns.js';
import { sendTestPing, sendTestPost } from '../../../../src/api/partner/supplier/testPosts.js';
import type { MarketSpec, Market, Testbed } from '../../../support/testbed.js';
import { startTestbed } from '../../../support/testbed.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';
import { accountOf } from '../../../support/org.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

/** Its buyer is in test mode. */
async function trying(spec: MarketSpec = {}): Promise<{ market: Market; portal: SupplierPortal }> {
  const market = await testbed.market(spec);
  const { orgId, buyers } = market.account;
  const { collections, keyring } = testbed;
  const [buyer = ''] = Object.values(buyers);
  const change = { test_mode: true };
  await updateBuyer(accountOf({ collections, keyring }, orgId), buyer, change);
  return { market, portal: await openSupplier(testbed, market) };
}
const post = (portal: SupplierPortal, market: Market, input: object = {}) =>
  portal.data(sendTestPost, 'send_test_post', { campaign_id: market.account.campaignId, ...input });

const pinged: Partial<CampaignInput> = {
  routing_method: 'PING_POST',
  fields: [
    { name: 'zip_code', type: 'Zip / Postal Code', required: false, ping_required: true },
    { name: 'age', type: 'Number', required: true, ping_required: true, min: 18 },
  ],
};

describe('a test lead that a supplier sends', () => {
  it('goes through the real intake, and shows the answer and the lead as it was stored', async () => {
    const { market, portal } = await trying();
    const told = await post(portal, market);
    expect(told).toMatchObject({
      http_status: 201,
      code: 'ACCEPTED',
      answer: { data: { status: 'ACCEPTED', delivery: 'delivered' } },
      message: 'A buyer bought it.',
      faults: [],
      filters: [],
      ping: null,
      sent: { test_lead: true, flo_supplier_id: portal.supplier_id },
    });
    const [lead] = await market.leads();
    expect(lead).toMatchObject({ _id: told.post_id, is_test: true, cost: 0 });
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('gets every wrong field reported', async () => {
    const { market, portal } = await trying();
    const told = await post(portal, market, { fields: { email: null, phone: '555' } });
    expect(told).toMatchObject({
      http_status: 400,
      code: 'validation_failed',
      faults: [
        { field: 'email', code: 'required' },
        { field: 'phone', code: 'invalid_format' },
      ],
      post_id: null,
    });
    expect(await market.leads()).toEqual([]);
  });

  it('gets every failed rule reported, with its place in the log', async () => {
    const filters = [{ field: 'state', operator: 'IN', value: ['CA'] }];
    const { market, portal } = await trying({ campaign: { filters } });
    const told = await post(portal, market, { fields: { state: 'NY' } });
    expect(told).toMatchObject({
      http_status: 422,
      code: 'filtered',
      filters: [{ field: 'state', message: 'state must be one of: CA' }],
    });
    expect(await market.leads()).toMatchObject([{ _id: told.post_id, status: 'REJECTED' }]);
  });

  it('gets the needs of test leads reported when it is unsold, and nothing about buyers', async () => {
    const market = await testbed.market({ buyers: { 'Secret Buyer': {} } });
    const portal = await openSupplier(testbed, market);
    const told = await post(portal, market);
    expect(told).toMatchObject({ http_status: 200, code: 'UNMATCHED' });
    expect(told.message).toMatch(/No buyer bought it.*test mode/);
    expect(JSON.stringify(told)).not.toContain('Secret Buyer');
  });

  it("cannot become another supplier's, or live, by its fields", async () => {
    const { market, portal } = await trying();
    const campaign_id = market.account.campaignId;
    for (const name of ['test_lead', 'flo_supplier_id', 'flo_campaign_id']) {
      const reply = await portal.call('send_test_post', { campaign_id, fields: { [name]: 'x' } });
      expect(codeOf(reply)).toEqual([422, 'invalid_input']);
      expect(reply.json?.details).toMatchObject([{ path: `fields.${name}` }]);
    }
  });

  it('is refused for a campaign that the supplier is not linked to, and to anyone but admins', async () => {
    const { market } = await trying();
    const other = await trying();
    const input = { campaign_id: other.market.account.campaignId };
    const portal = await openSupplier(testbed, market);
    expect(codeOf(await portal.call('send_test_post', input))).toEqual([404, 'not_found']);
    const viewer = await openSupplier(testbed, market, { member: { role: 'viewer' } });
    const own = { campaign_id: market.account.campaignId };
    expect(codeOf(await viewer.call('send_test_post', own))).toEqual([403, 'forbidden']);
  });
});

describe('a test ping that a supplier sends', () => {
  it('is answered with bids, and a test lead is posted with its ping_id', async () => {
    const { market, portal } = await trying({ campaign: pinged });
    const campaign_id = market.account.campaignId;
    const ping = await portal.data(sendTestPing, 'send_test_ping', { campaign_id });
    expect(ping).toMatchObject({ http_status: 200, code: 'accepted', answer: { accepted: true } });
    expect(ping.sent).not.toHaveProperty('phone');
    const stored = await testbed.collections.pings.findOne({ campaign_id });
    expect(stored).toMatchObject({ _id: ping.post_id, is_test: true, state: 'open' });
    const fields = Object.fromEntries(
      Object.entries(ping.sent).filter(([name]) => !/^flo_|^test_lead$/.test(name)),
    );
    const told = await post(portal, market, { fields, ping_id: ping.answer.ping_id });
    expect(told).toMatchObject({ code: 'ACCEPTED', ping: null });
  });

  it('is sent first when the test lead names none', async () => {
    const { market, portal } = await trying({ campaign: pinged });
    const told = await post(portal, market);
    expect(told).toMatchObject({ code: 'ACCEPTED', ping: { accepted: true } });
  });

  it('gets every missing field reported, and whether the campaign takes pings', async () => {
    const { market, portal } = await trying({ campaign: pinged });
    const campaign_id = market.account.campaignId;
    const fields = { zip_code: null };
    const told = await portal.data(sendTestPing, 'send_test_ping', { campaign_id, fields });
    expect(told).toMatchObject({ http_status: 400, faults: [{ field: 'zip_code' }] });
    const direct = await trying();
    const reply = await direct.portal.call('send_test_ping', {
      campaign_id: direct.market.account.campaignId,
    });
    expect(codeOf(reply)).toEqual([422, 'invalid_input']);
  });
});
