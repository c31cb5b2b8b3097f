import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planId, type Plan } from '../../../src/account/rules/plan.js';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../support/api.js';

describe('the outcome settings of a campaign', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  const planOf = async (campaignId: string): Promise<Plan> => {
    const campaign = await api.collections.campaigns.findOne({ _id: campaignId });
    const plan = await api.collections.plans.findOne({
      _id: planId(campaignId, campaign?.plan_version ?? 0),
    });
    if (!plan) throw new Error('There is no plan');
    return plan;
  };

  it('are absent at first, also in plans', async () => {
    const org = await api.org();
    const { campaign } = await setUp(api, org);
    expect(campaign).toMatchObject({ conversion_window_days: null, share_outcomes: false });
    const plan = await planOf(campaign.id);
    expect(plan).not.toHaveProperty('conversion_window_days');
    expect(plan).not.toHaveProperty('share_outcomes');
    expect(plan.buyers[0]).not.toHaveProperty('conversion_price');
  });

  it('are in the plan, shown in the history, and can be reverted', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const campaign_id = campaign.id;
    const before = await planOf(campaign_id);
    const link = { campaign_id, buyer_id: buyer.id };
    expect(
      await api.done(org, 'update_campaign_buyer', { ...link, conversion_price: 80.25 }),
    ).toMatchObject({ conversion_price: 80.25 });
    const settings = { conversion_window_days: 60, share_outcomes: true };
    const view = await api.done<Row>(org, 'update_campaign', { campaign_id, ...settings });
    expect(view).toMatchObject({ ...settings, buyers: [{ conversion_price: 80.25 }] });
    const changed = await planOf(campaign_id);
    expect(changed).toMatchObject({ ...settings, buyers: [{ conversion_price: 80_250_000 }] });
    const { versions } = await api.done<{ versions: { changes: object[] }[] }>(
      ...([org, 'get_plan_history', { campaign_id, limit: 2 }] as const),
    );
    expect(versions.map(({ changes }) => changes)).toEqual([
      [
        { path: 'conversion_window_days', from: null, to: 60 },
        { path: 'share_outcomes', from: false, to: true },
      ],
      [{ path: 'buyers["Acme"].conversion_price', from: null, to: 80.25 }],
    ]);
    for (const version of [before.version, changed.version]) {
      const back = { campaign_id, version };
      expect(await api.done(org, 'revert_plan', back)).toMatchObject({ still_different: [] });
    }
    const none = { ...link, conversion_price: null };
    expect(await api.done(org, 'update_campaign_buyer', none)).toMatchObject({
      conversion_price: null,
    });
    const any = { campaign_id, conversion_window_days: null };
    expect(await api.done(org, 'update_campaign', any)).toMatchObject({
      conversion_window_days: null,
    });
    expect(await planOf(campaign_id)).not.toHaveProperty('conversion_window_days');
  });

  it('have limits', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const campaign_id = campaign.id;
    for (const conversion_window_days of [0, 366, 1.5]) {
      const { status, text } = await api.call(await org.sharedKey(), 'update_campaign', {
        campaign_id,
        conversion_window_days,
      });
      expect(status).toBe(422);
      expect(text).toContain('conversion_window_days');
    }
    for (const conversion_price of [-1, 1.00001]) {
      const { status, text } = await api.call(await org.sharedKey(), 'update_campaign_buyer', {
        campaign_id,
        buyer_id: buyer.id,
        conversion_price,
      });
      expect(status).toBe(422);
      expect(text).toContain('conversion_price');
    }
  });
});
