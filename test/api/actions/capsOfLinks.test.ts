/** Caps and budgets as actions set and show them: of a campaign and of its links. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

describe.each([
  ['a campaign', 'update_campaign'],
  ['a buyer', 'update_campaign_buyer'],
  ['a supplier', 'update_campaign_supplier'],
] as const)('the caps of %s', (_whose, action) => {
  const place = async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const ids: Record<typeof action, object> = {
      update_campaign: {},
      update_campaign_buyer: { buyer_id: buyer.id },
      update_campaign_supplier: { supplier_id: supplier.id },
    };
    const key = { campaign_id: campaign.id, ...ids[action] };
    return (caps: object) => api.done<Row>(org, action, { ...key, ...caps });
  };

  it('count by the hour too', async () => {
    const set = await place();
    const hourly = { hourly_cap: 5, hourly_budget: 12.5 };
    expect(await set(hourly)).toMatchObject(hourly);
    const left = { hourly_cap: null, hourly_budget: 12.5, weekly_cap: 7 };
    expect(await set({ hourly_cap: null, weekly_cap: 7 })).toMatchObject(left);
  });

  it('changes caps of weekdays as a whole', async () => {
    const set = await place();
    const daysOf = async (daily_caps: object | null) => (await set({ daily_caps })).daily_caps;
    expect(await daysOf({ sun: 0, mon: 40 })).toEqual({ mon: 40, sun: 0 });
    expect((await set({ weekly_cap: 9 })).daily_caps).toEqual({ mon: 40, sun: 0 });
    expect(await daysOf({ tue: 3, mon: null })).toEqual({ tue: 3 });
    expect(await daysOf({ mon: null })).toBeNull();
    expect(await daysOf({ tue: 3 })).toEqual({ tue: 3 });
    expect(await daysOf(null)).toBeNull();
  });
});
