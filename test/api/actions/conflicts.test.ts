/** Concurrent changes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpReply } from '../../support/http.js';
import { tally } from '../../support/supplier.js';
import { setUp, startActionsApi, type ActionsApi, type Row } from '../../support/api.js';

const refused = ({ status, json }: HttpReply) => [status, json?.error, json?.message];

describe('changes of one campaign', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  it('refuses a change of a campaign that has since been changed', async () => {
    const org = await api.org();
    const { id: campaign_id, version } = await api.done<Row>(org, 'create_campaign', { name: 'V' });
    const change = { campaign_id, max_sells: 2, expected_version: version };
    expect(await api.done(org, 'update_campaign', change)).toMatchObject({ version: version + 1 });
    expect(refused(await api.call(await org.key(), 'update_campaign', change))).toEqual([
      400,
      'version_conflict',
      `The campaign has version ${version + 1}, not ${version}: it has since been changed. Read it again.`,
    ]);
  });

  it('accepts one of five changes from the same version', async () => {
    const org = await api.org();
    const { id: campaign_id, version } = await api.done<Row>(org, 'create_campaign', { name: 'R' });
    const key = await org.key();
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        api.call(key, 'update_campaign', {
          campaign_id,
          max_sells: n + 1,
          expected_version: version,
        }),
      ),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 1, 400: 4 });
    const refusals = replies.filter(({ status }) => status === 400);
    expect(new Set(refusals.map(({ json }) => json?.error))).toEqual(new Set(['version_conflict']));
    const passed = replies.find(({ status }) => status === 200)?.json?.data;
    expect(await api.done(org, 'get_campaign', { campaign_id })).toMatchObject({
      max_sells: (passed as Row).max_sells,
    });
  });

  it('loses none of the concurrent changes', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const key = await org.key();
    const link = { campaign_id: campaign.id, buyer_id: buyer.id };
    const windows = ['daily', 'monthly'].flatMap((window, n) => [
      { [`${window}_cap`]: n + 1 },
      { [`${window}_budget`]: n + 0.5 },
    ]);
    const replies = await Promise.all([
      ...windows.map((cap) => api.call(key, 'update_campaign_buyer', { ...link, ...cap })),
      ...windows.map((cap) =>
        api.call(key, 'update_campaign', { campaign_id: campaign.id, ...cap }),
      ),
      ...['a', 'b'].map((name) =>
        api.call(key, 'add_campaign_fields', {
          campaign_id: campaign.id,
          fields: [{ name, type: 'String' }],
        }),
      ),
    ]);
    expect(tally(replies.map(({ status, text }) => (status === 200 ? 200 : text)))).toEqual({
      200: 10,
    });
    const wanted = Object.assign({}, ...windows) as object;
    const shown = await api.done<Row>(org, 'get_campaign', { campaign_id: campaign.id });
    expect(shown).toMatchObject({ ...wanted, buyers: [{ ...wanted, total_budget: 900.25 }] });
    const stored = await api.collections.campaigns.findOne({ _id: campaign.id });
    expect(stored?.fields.map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });
});
