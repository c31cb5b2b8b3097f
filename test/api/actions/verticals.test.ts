import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planId } from '../../../src/account/rules/plan.js';
import {
  faultsOf,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../support/api.js';

describe('the vertical and the type of a campaign', () => {
  let api: ActionsApi;
  let org: Org;
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
  });
  afterAll(() => api.stop());

  const create = (input: object) => api.done<Row>(org, 'create_campaign', input);
  const listed = async (input: object) => {
    const rows = await api.done<Row[]>(org, 'list_campaigns', input);
    return rows.map(({ name }) => name);
  };

  it('are accepted as existing clients write them, and shown', async () => {
    const input = { name: 'Solar TX', vertical: '  Solar ', campaignType: 'leads' };
    const campaign = await create({ ...input, routingMethod: 'direct_post', dailyCap: 5 });
    expect(campaign).toMatchObject({ vertical: 'Solar', campaign_type: 'LEADS', daily_cap: 5 });
    const campaign_id = campaign.id;
    const [row] = await api.done<Row[]>(org, 'list_campaigns', {});
    expect(row).toMatchObject({ id: campaign_id, vertical: 'Solar', campaign_type: 'LEADS' });
    expect(row).toMatchObject({ daily_cap: 5, weekly_cap: null, total_budget: null });
    expect(await api.done(org, 'get_campaign_performance', { campaign_id })).toMatchObject({
      campaign: { id: campaign_id, name: 'Solar TX', vertical: 'Solar' },
    });
    expect(await api.done(org, 'get_campaign_api_spec', { campaign_id })).toMatchObject({
      guide: { campaign: { vertical: 'Solar' } },
    });
    const page = { campaign_id, format: 'markdown' };
    const { markdown } = await api.done<{ markdown: string }>(org, 'get_campaign_api_spec', page);
    expect(markdown).toContain('Topic of its leads: Solar.');
    const [changed, again] = [
      await api.done(org, 'update_campaign', { campaign_id, vertical: 'Home Solar' }),
      await api.done(org, 'update_campaign', { campaign_id, campaign_type: 'Leads' }),
    ];
    expect(changed).toMatchObject({ vertical: 'Home Solar', daily_cap: 5 });
    expect(again).toMatchObject({ vertical: 'Home Solar', campaign_type: 'LEADS' });
  });

  it('are null when null, absent or blank', async () => {
    const unsaid = await create({ name: 'Unsaid', vertical: null, campaign_type: null });
    expect(unsaid).toMatchObject({ vertical: null, campaign_type: 'LEADS' });
    const blank = await create({ name: 'Blank', vertical: ' \t ' });
    expect(blank).toMatchObject({ vertical: null });
    const campaign_id = (await create({ name: 'Said', vertical: 'Legal' })).id;
    for (const vertical of [null, '']) {
      await api.done(org, 'update_campaign', { campaign_id, vertical: 'Legal' });
      const view = await api.done(org, 'update_campaign', { campaign_id, vertical });
      expect(view).toMatchObject({ vertical: null });
    }
    const plan = await api.collections.plans.findOne({ campaign_id, version: 1 });
    expect(plan).toMatchObject({ vertical: 'Legal' });
    expect(await api.done(org, 'get_campaign_api_spec', { campaign_id })).toMatchObject({
      guide: { campaign: { vertical: null } },
    });
  });

  it('narrow a list, in any case and form of letters, alone and with the status', async () => {
    org = await api.org();
    await create({ name: 'Accented', vertical: 'Me\u0301dical' });
    await create({ name: 'Active', vertical: 'SOLAR', status: 'ACTIVE' });
    await create({ name: 'Paused', vertical: 'Solar' });
    await create({ name: 'Other', vertical: 'Solar panels' });
    await create({ name: 'None' });
    expect(await listed({ vertical: 'solar' })).toEqual(['Active', 'Paused']);
    expect(await listed({ vertical: ' Solar ', status: 'paused' })).toEqual(['Paused']);
    expect(await listed({ vertical: 'M\u00c9DICAL' })).toEqual(['Accented']);
    expect(await listed({ vertical: 'nothing' })).toEqual([]);
    const all = ['Accented', 'Active', 'Paused', 'Other', 'None'];
    for (const input of [{ campaign_type: 'leads' }, { vertical: '' }, { vertical: null }])
      expect(await listed(input)).toEqual(all);
  });

  it('of older campaigns are null and LEADS', async () => {
    const old = await create({ name: 'Old', vertical: 'Auto' });
    const unset = { $unset: { vertical: '', vertical_key: '', campaign_type: '' } } as const;
    await api.collections.campaigns.updateOne({ _id: old.id }, unset);
    const view = { vertical: null, campaign_type: 'LEADS' };
    expect(await api.done(org, 'get_campaign', { campaign_id: old.id })).toMatchObject(view);
    expect(await listed({ campaignType: 'LEADS' })).toContain('Old');
  });

  it('belong to a version: they are shown in the history, and reverted with it', async () => {
    const campaign_id = (await create({ name: 'Versions' })).id;
    await api.done(org, 'update_campaign', { campaign_id, vertical: 'Roofing' });
    const { versions } = await api.done<{ versions: { changes: object[] }[] }>(
      ...([org, 'get_plan_history', { campaign_id, limit: 1 }] as const),
    );
    expect(versions[0]?.changes).toEqual([{ path: 'vertical', from: null, to: 'Roofing' }]);
    const first = await api.collections.plans.findOne({ _id: planId(campaign_id, 1) });
    expect(first).not.toHaveProperty('vertical');
    for (const [version, vertical] of [
      [1, null],
      [2, 'Roofing'],
    ] as const) {
      const back = await api.done(org, 'revert_plan', { campaign_id, version });
      expect(back).toMatchObject({ still_different: [] });
      const view = await api.done(org, 'get_campaign', { campaign_id });
      expect(view).toMatchObject({ vertical, campaign_type: 'LEADS' });
      expect(await listed({ vertical: 'roofing' })).toEqual(vertical ? ['Versions'] : []);
    }
  });

  it('are refused where they are for calls, with what would be right', async () => {
    const calls = (word: string) =>
      `. ${word} is for calls: Leadwire distributes leads, not calls.`;
    const campaign_id = (await create({ name: 'Leads only' })).id;
    const type = { name: 'Calls', campaignType: 'calls' };
    const typeFault = `campaign_type must be LEADS${calls('CALLS')}`;
    expect(await faultsOf(api, org, 'create_campaign', type)).toEqual([422, typeFault]);
    expect(await faultsOf(api, org, 'list_campaigns', { campaign_type: 'CALLS' })).toEqual([
      422,
      typeFault,
    ]);
    for (const word of ['STATIC', 'RTB'])
      expect(
        await faultsOf(api, org, 'update_campaign', { campaign_id, routing_method: word }),
      ).toEqual([422, `routing_method must be one of DIRECT_POST, PING_POST${calls(word)}`]);
    expect(await faultsOf(api, org, 'create_campaign', { name: 'X', campaign_type: 'X' })).toEqual([
      422,
      'campaign_type must be LEADS.',
    ]);
    expect(await api.done(org, 'get_campaign', { campaign_id })).toMatchObject({ version: 1 });
  });

  it('have limits', async () => {
    const longest = '\u592a'.repeat(120);
    expect(await create({ name: 'Long', vertical: longest })).toMatchObject({ vertical: longest });
    expect(
      await faultsOf(api, org, 'create_campaign', { name: 'Longer', vertical: `${longest}x` }),
    ).toEqual([422, 'vertical must have at most 120 characters.']);
    expect(await faultsOf(api, org, 'create_campaign', { name: 'Kind', vertical: 5 })).toEqual([
      422,
      'vertical must be text.',
    ]);
  });
});
