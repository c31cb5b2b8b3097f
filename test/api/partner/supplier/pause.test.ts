import { accountOf } from '../../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateSupplierLink } from '../../../../src/account/links/supplierLinks.js';
import { updateSupplier } from '../../../../src/account/suppliers/suppliers.js';
import { pause } from '../../../../src/api/partner/pause.js';
import { listCampaigns } from '../../../../src/api/partner/supplier/campaigns.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { codeOf, openSupplier, type SupplierPortal } from './scene.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

async function scene(pause: 'off' | 'request' | 'direct' = 'direct') {
  const market = await testbed.market({ suppliers: 2 });
  return { market, portal: await openSupplier(testbed, market, { rules: { pause } }) };
}
const set = (portal: SupplierPortal, call: 'pause' | 'resume', input: object = {}) =>
  portal.data(pause, call, input);
const post = async (market: Market, supplier = 0) => (await market.post({}, { supplier })).status;

describe('a supplier that pauses itself', () => {
  it('is refused in that campaign until it resumes, and no other supplier is', async () => {
    const { market, portal } = await scene();
    const campaign_id = market.account.campaignId;
    expect(await set(portal, 'pause', { campaign_id })).toEqual({
      status: 'paused',
      change_id: null,
    });
    expect([await post(market), await post(market, 1)]).toEqual([403, 201]);
    const { campaigns } = await portal.data(listCampaigns, 'list_campaigns');
    expect(campaigns).toMatchObject([{ state: 'paused', is_paused: true, can_resume: true }]);
    await set(portal, 'pause', { campaign_id });
    await set(portal, 'resume', { campaign_id });
    expect(await post(market)).toBe(201);
  });

  it('can pause all of its campaigns', async () => {
    const { market, portal } = await scene();
    await set(portal, 'pause');
    expect([await post(market), await post(market, 1)]).toEqual([403, 201]);
    const told = await portal.data(listCampaigns, 'list_campaigns');
    expect(told.supplier).toEqual({ status: 'paused', can_resume: true, test_mode: false });
    expect(told.campaigns).toMatchObject([{ state: 'supplier_paused' }]);
    await set(portal, 'resume');
    expect(await post(market)).toBe(201);
  });

  it('cannot resume what its operator paused, also after a pause of its own', async () => {
    const { market, portal } = await scene();
    const { orgId: org_id, campaignId: campaign_id } = market.account;
    const { supplier_id } = portal;
    const { collections } = testbed;
    await set(portal, 'pause', { campaign_id });
    await updateSupplierLink(
      accountOf({ collections }, org_id),
      { campaign_id, supplier_id },
      { status: 'paused' },
    );
    expect(codeOf(await portal.call('resume', { campaign_id }))).toEqual([409, 'conflict']);
    await updateSupplier(accountOf({ collections }, org_id), supplier_id, { status: 'paused' });
    expect(codeOf(await portal.call('resume'))).toEqual([409, 'conflict']);
    expect(await post(market)).toBe(403);
    const told = await portal.data(listCampaigns, 'list_campaigns');
    expect(told.supplier.can_resume).toBe(false);
  });

  it('requests it from its operator where the portal is set so', async () => {
    const { market, portal } = await scene('request');
    const { change_id, status } = await set(portal, 'pause');
    expect(status).toBe('active');
    expect(await post(market)).toBe(201);
    const stored = await testbed.collections.changeRequests.findOne({ _id: change_id ?? '' });
    expect(stored).toMatchObject({
      party_id: portal.supplier_id,
      side: 'supplier',
      after: { status: 'paused' },
      state: 'pending',
    });
    expect((await set(portal, 'pause')).change_id).toBe(change_id);
  });

  it('is refused where pausing is off, to viewers, and in campaigns that are not its own', async () => {
    const { market, portal } = await scene('off');
    expect(codeOf(await portal.call('pause'))).toEqual([403, 'forbidden']);
    const member = { role: 'viewer' as const };
    const viewer = await openSupplier(testbed, market, { rules: { pause: 'direct' }, member });
    expect(codeOf(await viewer.call('pause'))).toEqual([403, 'forbidden']);
    await portal.allow({ pause: 'direct' });
    const campaign_id = (await testbed.market()).account.campaignId;
    expect(codeOf(await portal.call('pause', { campaign_id }))).toEqual([404, 'not_found']);
  });

  it('is audited in the name of the person and the supplier', async () => {
    const { market, portal } = await scene();
    await set(portal, 'pause');
    const entry = await testbed.collections.audit.findOne({ org_id: market.account.orgId });
    expect(JSON.stringify(entry)).toContain('supplier_portal.pause');
    expect(JSON.stringify(entry)).toContain('Pat Partner');
    expect(JSON.stringify(entry)).toContain(portal.supplier_id);
  });
});
