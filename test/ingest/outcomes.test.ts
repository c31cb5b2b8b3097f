import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WEEKDAYS } from '../../src/fields/days.js';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { updateSupplierLink } from '../../src/account/links/supplierLinks.js';
import { updateSupplier } from '../../src/account/suppliers/suppliers.js';
import { NO } from '../support/fakeBuyer.js';
import { aPerson, type Answer } from '../support/supplier.js';
import { type MarketSpec, startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

describe('a valid lead without a sale', () => {
  const expectUnmatched = async (answer: Answer, campaignId: string) => {
    expect(answer.status).toBe(200);
    const data = { status: 'UNMATCHED', buyer_id: null, campaign_id: campaignId };
    expect(answer.body).toEqual({ data: { id: expect.any(String), ...data } });
    const unsold = { status: 'UNMATCHED', buyer_id: null, price: 0, cost: 0, profit: 0, sales: [] };
    expect(await testbed.lead(answer.data?.id)).toMatchObject(unsold);
  };

  it('is UNMATCHED when no buyer serves its state', async () => {
    const { account, post, sentTo } = await testbed.market({
      buyers: { only: { states: ['TX'] } },
    });
    await expectUnmatched(await post({ state: 'CA' }), account.campaignId);
    await expectUnmatched(await post({ state: undefined }), account.campaignId);
    expect(sentTo('only')).toEqual([]);
  });

  it('is UNMATCHED when every buyer refuses it', async () => {
    const { account, post, sentTo } = await testbed.market({
      buyers: { first: { answer: () => NO }, second: { answer: () => NO } },
    });
    await expectUnmatched(await post(), account.campaignId);
    expect([sentTo('first').length, sentTo('second').length]).toEqual([1, 1]);
  });

  it.each([
    { daily_cap: 1 },
    { daily_cap: 9, daily_caps: Object.fromEntries(WEEKDAYS.map((day) => [day, 1])) },
  ])('is UNMATCHED when its buyers have reached their caps: %j', async (caps) => {
    const { account, post } = await testbed.market({ buyers: { only: { caps } } });
    expect((await post()).status).toBe(201);
    await expectUnmatched(await post(), account.campaignId);
  });

  it('is UNMATCHED when the campaign has reached its own cap', async () => {
    const { account, post, sentTo } = await testbed.market({
      campaign: { caps: { total_cap: 1 } },
    });
    const first = await post();
    expect(first.status).toBe(201);
    const second = await post();
    await expectUnmatched(second, account.campaignId);
    expect(sentTo('only').map(({ leadId }) => leadId)).toEqual([first.data?.id]);
    const buyerCap = `buyer:${account.campaignId}:${account.buyers.only}`;
    expect(await testbed.collections.caps.findOne({ _id: buyerCap })).toMatchObject({
      total: { count: 1 },
      held: [],
    });
  });

  it.each([
    ['phone', { email: 'somebody.else@example.com' }],
    ['email', { phone: '5559990001' }],
  ])('is DUPLICATE when its %s is known', async (_field, changed) => {
    const { account, post, sentTo } = await testbed.market();
    const person = aPerson();
    const first = await post(person);
    const second = await post({ ...person, ...changed });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      data: {
        id: expect.any(String),
        status: 'DUPLICATE',
        buyer_id: null,
        campaign_id: account.campaignId,
        duplicate_of: first.data?.id,
      },
    });
    expect(second.data?.id).not.toBe(first.data?.id);
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(await testbed.lead(second.data?.id)).toMatchObject({
      status: 'DUPLICATE',
      duplicate_of: first.data?.id,
      price: 0,
      cost: 0,
    });
    expect(sentTo('only')).toHaveLength(1);
  });

  it('is DUPLICATE of the same person written another way', async () => {
    const { post } = await testbed.market();
    const first = await post({ phone: '5550001122', email: 'a.person@example.com' });
    const samePhone = await post({ phone: '+1 (555) 000-1122' });
    const sameEmail = await post({ email: ' A.Person@EXAMPLE.com' });
    expect([samePhone.data, sameEmail.data]).toMatchObject([
      { status: 'DUPLICATE', duplicate_of: first.data?.id },
      { status: 'DUPLICATE', duplicate_of: first.data?.id },
    ]);
  });

  it('is no duplicate in another campaign', async () => {
    const person = aPerson();
    const [one, other] = [await testbed.market(), await testbed.market()];
    expect((await one.post(person)).data?.status).toBe('ACCEPTED');
    expect((await other.post(person)).data?.status).toBe('ACCEPTED');
  });

  it('blocks no later lead when it was UNMATCHED or refused by a filter', async () => {
    const { post } = await testbed.market({
      campaign: { filters: { all: [{ id: 'f', field: 'state', operator: '!=', value: 'NY' }] } },
      buyers: { only: { states: ['CA'] } },
    });
    const person = aPerson();
    expect((await post({ ...person, state: 'TX' })).data?.status).toBe('UNMATCHED');
    expect((await post({ ...person, state: 'NY' })).error).toBe('filtered');
    expect((await post({ ...person, state: 'CA' })).data?.status).toBe('ACCEPTED');
  });

  it('blocks no later lead when its source was over its cap', async () => {
    const { account, post } = await testbed.market({ suppliers: 2 });
    const [capped] = account.suppliers;
    const link = {
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: capped?.id ?? '',
    };
    await updateSupplierLink(accountOf(testbed, link.org_id), link, { daily_cap: 0 });
    const person = aPerson();
    expect((await post(person, { supplier: 0 })).error).toBe('supplier_capped');
    expect((await post(person, { supplier: 1 })).data?.status).toBe('ACCEPTED');
  });
});

describe('a test lead', () => {
  /** Of the buyers, `trying` is in test mode. */
  const withTestBuyer = async (spec: MarketSpec): Promise<Market> => {
    const market = await testbed.market(spec);
    const { orgId, buyers } = market.account;
    const testing = { test_mode: true };
    await updateBuyer(accountOf(testbed, orgId), buyers.trying ?? '', testing);
    return market;
  };

  it('goes only to buyers in test mode, and live leads never to them', async () => {
    const { account, post, sentTo } = await withTestBuyer({ buyers: { live: {}, trying: {} } });
    const test = await post({ test_lead: true });
    const live = await post();
    expect([test, live]).toMatchObject([
      { status: 201, data: { buyer_id: account.buyers.trying } },
      { status: 201, data: { buyer_id: account.buyers.live } },
    ]);
    expect(sentTo('trying').map(({ body }) => body.is_test)).toEqual([true]);
    expect(sentTo('live').map(({ body }) => body.is_test)).toEqual([false]);
  });

  it('is UNMATCHED when no buyer is in test mode', async () => {
    const { post, sentTo } = await testbed.market();
    expect(await post({ test_lead: true })).toMatchObject({
      status: 200,
      data: { status: 'UNMATCHED', buyer_id: null },
    });
    expect(sentTo('only')).toEqual([]);
  });

  it('is every lead of a source in test mode', async () => {
    const { account, post } = await withTestBuyer({ buyers: { live: {}, trying: {} } });
    const supplierId = account.suppliers[0]?.id ?? '';
    const testing = { test_mode: true };
    await updateSupplier(accountOf(testbed, account.orgId), supplierId, testing);
    const { data } = await post();
    expect(data?.buyer_id).toBe(account.buyers.trying);
    expect(await testbed.lead(data?.id)).toMatchObject({ is_test: true, cost: 0 });
  });

  it('passes a paused source and a paused campaign', async () => {
    const { account, post } = await withTestBuyer({
      buyers: { trying: {} },
      supplier: { status: 'paused' },
    });
    expect((await post({ test_lead: true })).status).toBe(201);
    const paused = { status: 'PAUSED' } as const;
    await updateCampaign(accountOf(testbed, account.orgId), account.campaignId, paused);
    expect((await post({ test_lead: 'true' })).status).toBe(201);
    expect((await post()).error).toBe('campaign_paused');
  });

  it('costs nothing, and neither fills a cap nor is held back by one', async () => {
    const none = { daily_cap: 0 };
    const { account, post } = await withTestBuyer({
      campaign: { caps: none },
      supplier: { caps: none },
      buyers: { trying: { price: 25, caps: none } },
    });
    const { data } = await post({ test_lead: true });
    expect(await testbed.lead(data?.id)).toMatchObject({
      status: 'ACCEPTED',
      is_test: true,
      price: 0,
      cost: 0,
      profit: 0,
      sales: [{ price: 0 }],
    });
    const counters = await testbed.collections.caps
      .find({ _id: { $regex: account.campaignId } })
      .toArray();
    expect(counters).toEqual([]);
  });

  it('neither blocks a live lead of the same person nor is blocked by it', async () => {
    const { post } = await withTestBuyer({ buyers: { live: {}, trying: {} } });
    const person = aPerson();
    const answers = [
      await post({ ...person, test_lead: true }),
      await post(person),
      await post({ ...person, test_lead: true }),
    ];
    expect(answers.map(({ data }) => data?.status)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED']);
  });

  it('is validated and filtered like any other', async () => {
    const { post } = await withTestBuyer({
      campaign: { filters: { all: [{ id: 'f', field: 'state', operator: '==', value: 'CA' }] } },
      buyers: { trying: {} },
    });
    expect((await post({ test_lead: true, email: 'nobody' })).error).toBe('validation_failed');
    expect((await post({ test_lead: true, state: 'TX' })).error).toBe('filtered');
    expect((await post({ test_lead: 'perhaps' })).error).toBe('validation_failed');
  });
});
