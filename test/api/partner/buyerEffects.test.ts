/** The effects of a buyer's calls outside its portal: deliveries, the outcomes of sales, where leads go, what is used up. */
import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { linkSupplier } from '../../../src/account/links/supplierLinks.js';
import type { PortalRules } from '../../../src/portal/settingsSchema.js';
import type { Behavior } from '../../support/fakeBuyer.js';
import { openPortal, portalClient } from '../../support/portal.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';

const DOWN = { status: 503, headers: { 'retry-after': '600' } };

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

/** One buyer, which answers as `behavior` says, with its portal open. */
async function scene(rules: Partial<PortalRules> = {}) {
  let behavior: Behavior = { status: 200 };
  const market = await testbed.market({ buyers: { only: { price: 25, answer: () => behavior } } });
  const { orgId: org_id, buyers } = market.account;
  const buyer_id = buyers.only ?? '';
  const party = { org_id, side: 'buyer', party_id: buyer_id } as const;
  const client = portalClient(testbed.url, await openPortal(testbed.collections, party, rules));
  return {
    market,
    buyer_id,
    call: (name: string, input: object) => client.call(name, input),
    done: async <T = Record<string, unknown>>(name: string, input: object): Promise<T> => {
      const { status, text, json } = await client.call(name, input);
      expect(status === 200 ? '' : text).toBe('');
      return json?.data as T;
    },
    answerWith: (next: Behavior): void => {
      behavior = next;
    },
  };
}

describe('a delivery that waits', () => {
  it('is sent again at once, and shown as the buyer then answered', async () => {
    const { market, done, answerWith } = await scene();
    answerWith(DOWN);
    const { id } = await market.post();
    await testbed.becomes(id, 'PENDING');
    const [waiting] = await done<{ can_resend: boolean }[]>('list_attempts', { lead_id: id });
    expect(waiting).toMatchObject({ state: 'waiting', http_status: 503, can_resend: true });
    const before = market.sentTo('only').length;
    answerWith({ status: 200, body: '{"id":"ref-1"}' });
    const result = await done('resend_delivery', { lead_id: id });
    expect(result).toMatchObject({ sent: 1, busy: 0, attempt: { lead_id: id } });
    await testbed.becomes(id, 'ACCEPTED');
    expect(market.sentTo('only')).toHaveLength(before + 1);
    expect(await done('list_attempts', { lead_id: id })).toMatchObject([
      { state: 'accepted', http_status: 200, can_resend: false },
    ]);
    expect(
      await testbed.collections.audit.findOne({ 'party.id': market.account.buyers.only }),
    ).toMatchObject({ action: 'buyer_portal.resend_delivery', outcome: 'done' });
  });

  it('is not sent again after an answer, or while the operator holds it', async () => {
    const { market, call, answerWith, buyer_id } = await scene();
    const { id: sold } = await market.post();
    await testbed.becomes(sold, 'ACCEPTED');
    answerWith(DOWN);
    const { id: held } = await market.post();
    await testbed.becomes(held, 'PENDING');
    await testbed.collections.deliveries.updateOne(
      { lead_id: held, buyer_id, state: 'parked' },
      { $set: { held: true } },
    );
    for (const lead_id of [sold, held]) {
      const { status, json } = await call('resend_delivery', { lead_id });
      expect([status, json?.details]).toMatchObject([
        422,
        [{ path: 'lead_id', code: 'not_allowed' }],
      ]);
    }
  });
});

describe('a postback that is tried', () => {
  it('changes the sale when it is applied, and nothing when it is not', async () => {
    const { market, done } = await scene();
    const { id } = await market.post();
    await testbed.becomes(id, 'ACCEPTED');
    const body = { lead_id: id, outcome: 'converted', conversion_revenue: 120 };
    expect(await done('try_postback', { body })).toEqual({
      http_status: 200,
      answer: { success: true, data: { lead_id: id } },
      lead_id: id,
      applied: false,
    });
    expect((await market.lead(id)).sales[0]?.outcome).toBeUndefined();
    expect(await done('try_postback', { body, apply: true })).toMatchObject({
      http_status: 200,
      answer: {
        success: true,
        data: { lead_id: id, outcome: 'converted', conversion_revenue: 120 },
      },
      lead_id: id,
      applied: true,
    });
    expect((await market.lead(id)).sales[0]).toMatchObject({ outcome: 'converted' });
  });

  it('is answered like a refused postback, and changes nothing', async () => {
    const { done } = await scene();
    const body = { lead_id: 'of-another-buyer', outcome: 'converted' };
    expect(await done('try_postback', { body, apply: true })).toMatchObject({
      http_status: 404,
      answer: { error: 'not_found' },
      lead_id: null,
      applied: false,
    });
  });
});

describe('a buyer that pauses one of its campaigns', () => {
  it('gets no lead of that campaign, but those of its others', async () => {
    const { market, buyer_id, done } = await scene({ pause: 'direct' });
    const { orgId: org_id, campaignId: campaign_id, suppliers } = market.account;
    const { collections } = testbed;
    const other = await createCampaign(accountOf({ collections }, org_id), {
      name: 'Other',
      status: 'ACTIVE',
    });
    const ids = { org_id, campaign_id: other._id };
    await linkBuyer(
      accountOf({ collections }, ids.org_id),
      { ...ids, buyer_id },
      { price: 20, priority: 1 },
    );
    await linkSupplier(
      accountOf({ collections }, ids.org_id),
      { ...ids, supplier_id: suppliers[0]?.id ?? '' },
      { cost_per_lead: 4 },
    );
    expect(await done('pause', { campaign_id })).toEqual({ status: 'paused', change_id: null });
    expect((await market.post()).data).toMatchObject({ status: 'UNMATCHED' });
    const elsewhere = await market.post({ flo_campaign_id: other._id });
    await testbed.becomes(elsewhere.id, 'ACCEPTED');
    const terms = await done<{ campaign: { id: string } }[]>('get_terms', {});
    const states = terms.map((one) => [one.campaign.id, one]);
    expect(Object.fromEntries(states)).toMatchObject({
      [campaign_id]: { status: 'paused', can_resume: true },
      [other._id]: { status: 'active' },
    });
    expect(await done('get_usage', {})).toMatchObject({ status: 'active' });
    expect(await done('resume', { campaign_id })).toEqual({ status: 'active', change_id: null });
    await testbed.becomes((await market.post()).id, 'ACCEPTED');
  });

  it("cannot resume a link that its operator paused, or find another buyer's", async () => {
    const { market, buyer_id, call } = await scene({ pause: 'direct' });
    const { campaignId: campaign_id } = market.account;
    await testbed.collections.campaignBuyers.updateOne(
      { _id: `${campaign_id}:${buyer_id}` },
      { $set: { status: 'paused', paused_by: null } },
    );
    const refused = await call('resume', { campaign_id });
    expect([refused.status, refused.json?.error]).toEqual([409, 'conflict']);
    const stranger = await scene();
    const foreign = await call('pause', { campaign_id: stranger.market.account.campaignId });
    expect([foreign.status, foreign.json?.error]).toEqual([404, 'not_found']);
  });

  it('requests it where the operator decides, as one request however often it asks', async () => {
    const { market, done } = await scene({ pause: 'request' });
    const { campaignId: campaign_id } = market.account;
    const asked = await done<{ change_id: string }>('pause', { campaign_id });
    expect(asked).toEqual({ status: 'active', change_id: expect.stringMatching(/^chg_/) });
    expect(await done('list_changes', {})).toMatchObject([
      {
        id: asked.change_id,
        campaign: { id: campaign_id },
        state: 'pending',
        changes: [{ name: 'status', before: 'active', after: 'paused' }],
      },
    ]);
    expect(await done('pause', { campaign_id })).toEqual(asked);
  });
});

describe('a buyer that invites to its own team', () => {
  it('uses up none of what the organization may invite', async () => {
    const { done, buyer_id, market } = await scene();
    await done('invite_team_member', { email: 'colleague@buyer.example', role: 'viewer' });
    const { windows } = testbed.collections;
    const { orgId } = market.account;
    const used = await windows.findOne({ _id: `invites:${orgId}:buyer:${buyer_id}` });
    expect(used?.uses.all).toBe(1);
    expect(await windows.findOne({ _id: `invites:${orgId}` })).toBeNull();
  });
});
