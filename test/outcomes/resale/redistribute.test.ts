import { accountOf } from '../../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { linkBuyer } from '../../../src/account/links/buyerLinks.js';
import { linkSupplier } from '../../../src/account/links/supplierLinks.js';
import { createCampaign, updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { explainLead } from '../../../src/routing/explain/explain.js';
import { planOfLead } from '../../../src/leads/rules/locks.js';
import { planId } from '../../../src/account/rules/plan.js';
import type { Deps } from '../../../src/app/deps.js';
import { createRedistribute } from '../../../src/outcomes/resale/redistribute.js';
import type { ResaleAnswer } from '../../../src/leads/rules/resale.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { NO } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { waitFor } from '../../support/waitFor.js';

/** 10 micro-dollars of a million each. */
const TEN = 10_000_000;
const FOUR = 4_000_000;

describe('a lead that is sold again', () => {
  let testbed: Testbed;
  let deps: Deps;

  beforeAll(async () => {
    testbed = await startTestbed();
    ({ deps } = await testbed.otherApi());
  });
  afterAll(() => testbed.stop());

  const madeBy = (answer: ResaleAnswer): string => {
    if (!('lead_id' in answer)) throw new Error(JSON.stringify(answer));
    return answer.lead_id;
  };
  const sell = async (market: Market, leadId = '', campaign_id = market.account.campaignId) => {
    const lead = await testbed.lead(leadId);
    return deps.redistribute({ id: randomUUID(), lead, campaign_id, exclude: [] });
  };
  const another = async ({ account }: Market, isLinked: boolean) => {
    const { orgId, buyers, suppliers } = account;
    const name = `Other ${randomUUID()}`;
    const { _id } = await createCampaign(accountOf(testbed, orgId), { name, status: 'ACTIVE' });
    const ids = { org_id: orgId, campaign_id: _id };
    const link = { ...ids, buyer_id: buyers.second ?? '' };
    await linkBuyer(accountOf(testbed, link.org_id), link, { price: 7 });
    if (isLinked)
      await linkSupplier(
        accountOf(testbed, ids.org_id),
        { ...ids, supplier_id: suppliers[0]?.id ?? '' },
        { cost_per_lead: 3 },
      );
    return _id;
  };

  it('goes to the next buyer, pays its supplier nothing again, and leaves its origin unchanged', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post();
    const origin = await testbed.lead(data?.id);
    const made = madeBy(await sell(market, data?.id));
    const resold = await testbed.becomes(made, 'ACCEPTED');
    expect(resold).toMatchObject({
      buyer_id: market.account.buyers.second,
      price: TEN,
      cost: 0,
      profit: TEN,
      fields: origin.fields,
      extra: origin.extra,
      keys: origin.keys,
      resale: { origin: origin._id, replaces: true, paid: true },
    });
    // Whether reports have counted it may change at any time.
    const counted = { uncounted: undefined, counted: undefined };
    expect({ ...(await testbed.lead(data?.id)), ...counted }).toEqual({ ...origin, ...counted });
    expect(market.sentTo('first')).toHaveLength(1);
  });

  it('names on its trail and in words the excluded buyers and its origin', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post();
    const lead = await testbed.becomes(madeBy(await sell(market, data?.id)), 'ACCEPTED');
    expect(lead.trail).toContainEqual(
      expect.objectContaining({ reason: 'had_it', buyer_id: market.account.buyers.first }),
    );
    const id = planId(lead.campaign_id, lead.plan_version);
    const plan = await testbed.collections.plans.findOne({ _id: id });
    if (!plan) throw new Error('no plan');
    const told = explainLead({ lead, plan: planOfLead(plan, lead), currency: 'USD' });
    expect(told.steps[0]?.text).toContain(`It has the data of lead ${data?.id ?? ''}`);
    expect(told.buyers.find(({ name }) => name === 'first')?.text).toContain(
      'it already bought or refused the data of the lead in an earlier sale',
    );
  });

  it('is the same lead for the same order, sent 20 times at once', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post();
    const order = {
      id: randomUUID(),
      lead: await testbed.lead(data?.id),
      exclude: [],
      campaign_id: market.account.campaignId,
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deps.redistribute(order).then(madeBy)),
    );
    expect(new Set(answers).size).toBe(1);
    await testbed.becomes(answers[0], 'ACCEPTED');
    expect(await market.leads()).toHaveLength(2);
    expect(market.sentTo('second')).toHaveLength(1);
  });

  it('is decided again in the same way', async () => {
    const market = await testbed.market({
      buyers: { first: {}, no: { answer: () => NO }, last: {} },
    });
    const { data } = await market.post();
    const made = madeBy(await sell(market, data?.id));
    await testbed.becomes(made, 'ACCEPTED');
    const { account } = market;
    const replays = await replayAll(testbed.collections, { campaignId: account.campaignId });
    expect(replays).toMatchObject({ count: 2, different: [] });
  });

  it('ends unsold when every buyer had it before, and is refused after ten times', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post();
    const second = madeBy(await sell(market, data?.id));
    await testbed.becomes(second, 'ACCEPTED');
    let last = madeBy(await sell(market, second));
    await testbed.becomes(last, 'UNMATCHED');
    for (let time = 3; time <= 10; time++) {
      last = madeBy(await sell(market, last));
      await waitFor(async () => (await testbed.lead(last)).decided_at !== undefined, {
        message: 'it is decided',
      });
    }
    expect(await sell(market, last)).toEqual({
      refused: 'Its data was already resold 10 times, which is the maximum.',
    });
  });

  it('does not change the claims of its origin: the person stays a duplicate', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const person = { phone: '5552223344', email: 'again@example.com' };
    const { data } = await market.post(person);
    await testbed.becomes(madeBy(await sell(market, data?.id)), 'ACCEPTED');
    const repeated = await market.post(person);
    expect(repeated.data).toMatchObject({ status: 'DUPLICATE', duplicate_of: data?.id });
  });

  it('is not offered to a buyer that may have it, because it never answered before its hold ended', async () => {
    const delivery = { timeout_ms: 200, on_unknown: 'hold', hold_max_age_ms: 1_000 } as const;
    const market = await testbed.market({
      buyers: { silent: { answer: () => 'hang', delivery }, second: {} },
    });
    const { silent: buyer_id = '' } = market.account.buyers;
    const campaignId = await another(market, true);
    const ids = { org_id: market.account.orgId, campaign_id: campaignId };
    await linkBuyer(
      accountOf(testbed, ids.org_id),
      { ...ids, buyer_id },
      { price: 9, priority: 1 },
    );
    const { data } = await market.post();
    await testbed.becomes(data?.id, 'EXPIRED');
    expect(await testbed.rows(data?.id)).toMatchObject([{ state: 'expired', unanswered: true }]);
    const made = madeBy(await sell(market, data?.id, campaignId));
    expect(await testbed.becomes(made, 'ACCEPTED')).toMatchObject({
      buyer_id: market.account.buyers.second,
      resale: { exclude: [buyer_id] },
    });
    expect(market.sentTo('silent')).toHaveLength(1);
  });

  it('in another campaign costs what its supplier link there says', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const campaignId = await another(market, true);
    const { data } = await market.post();
    const made = madeBy(await sell(market, data?.id, campaignId));
    expect(await testbed.becomes(made, 'ACCEPTED')).toMatchObject({
      campaign_id: campaignId,
      buyer_id: market.account.buyers.second,
      price: 7_000_000,
      cost: 3_000_000,
      resale: { replaces: false, paid: false },
    });
    expect((await testbed.lead(data?.id)).cost).toBe(FOUR);
  });

  it('in another campaign is a duplicate of a lead that it already has', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const campaignId = await another(market, true);
    const { data } = await market.post();
    const made = madeBy(await sell(market, data?.id, campaignId));
    await testbed.becomes(made, 'ACCEPTED');
    const again = madeBy(await sell(market, data?.id, campaignId));
    expect(await testbed.becomes(again, 'DUPLICATE')).toMatchObject({ duplicate_of: made });
  });

  it('is refused in a campaign it was in before, without a supplier link, and when the campaign is not ACTIVE', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const [linked, unlinked] = [await another(market, true), await another(market, false)];
    const { data } = await market.post();
    expect(await sell(market, data?.id, unlinked)).toMatchObject({
      refused: expect.stringMatching(
        /^Its supplier is not linked to the campaign Other /,
      ) as unknown as string,
    });
    const made = madeBy(await sell(market, data?.id, linked));
    await testbed.becomes(made, 'ACCEPTED');
    expect(await sell(market, made)).toEqual({
      refused: 'Its data has been in the campaign Campaign before.',
    });
    expect(await sell(market, data?.id, 'nowhere')).toEqual({
      refused: 'There is no campaign nowhere.',
    });
    const { orgId, campaignId } = market.account;
    await updateCampaign(accountOf(testbed, orgId), campaignId, { status: 'PAUSED' });
    expect(await sell(market, data?.id)).toEqual({
      refused: 'The campaign Campaign is PAUSED; only an ACTIVE campaign accepts leads.',
    });
  });

  it('is stored when it could not be started, and started when it is requested again', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post();
    const deaf = createRedistribute({
      ...deps,
      starter: { restart: () => Promise.reject(new Error('no Temporal')) },
    });
    const order = {
      id: randomUUID(),
      lead: await testbed.lead(data?.id),
      exclude: [],
      campaign_id: market.account.campaignId,
    };
    const made = madeBy(await deaf(order));
    expect((await testbed.lead(made)).status).toBe('NEW');
    expect(madeBy(await deps.redistribute(order))).toBe(made);
    await waitFor(async () => (await testbed.lead(made)).status === 'ACCEPTED', {
      message: 'it is sold',
    });
  });

  it('is not shown to its supplier', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post({ phone: '5553334455' });
    await testbed.becomes(madeBy(await sell(market, data?.id)), 'ACCEPTED');
    const { campaignId, suppliers } = market.account;
    const query = `campaign_id=${campaignId}&phone=5553334455`;
    const answer = await fetch(`${testbed.url}/api/v1/leads/lookup?${query}`, {
      headers: { 'x-api-key': suppliers[0]?.key ?? '' },
    });
    const text = await answer.text();
    expect([text.includes(data?.id ?? '?'), text.split('"status"').length]).toEqual([true, 2]);
  });

  it('stays a test lead', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { data } = await market.post({ test_lead: true });
    const made = madeBy(await sell(market, data?.id));
    expect(await testbed.becomes(made, 'UNMATCHED')).toMatchObject({ is_test: true });
  });
});
