/** The steps still missing, while an account is set up step by step. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aLead } from '../../../support/storedRows.js';
import { startActionsApi, type ActionsApi, type Org, type Row } from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

interface Status {
  ready: boolean;
  steps: { id: string; done: boolean; required: boolean; action: Row | null }[];
  campaigns: { id: string; name: string; ready: boolean; missing: string[] }[] | null;
  next_cursor: string | null;
}
const statusOf = (org: Org, input: object = {}) =>
  api.done<Status>(org, 'get_onboarding_status', input);

describe('the steps of setting up', () => {
  it('are completed one by one by the actions that they name', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Row>(org, 'create_campaign', { name: 'Steps' });
    const walked: string[] = [];
    let status = await statusOf(org, { campaign_id });
    // Each step names the action that completes it; only the lead comes from a supplier.
    for (let n = 0; n < 20; n += 1) {
      const open = status.steps.find(({ done, action }) => !done && action !== null);
      if (!open || open.id === 'test_lead') break;
      walked.push(open.id);
      const action = open.action as unknown as { name: 'create_buyer'; input: object };
      await api.done(org, action.name, action.input);
      status = await statusOf(org, { campaign_id });
    }
    expect(walked).toEqual(['fields', 'buyer', 'buyer', 'delivery', 'supplier', 'supplier']);
    expect(status.steps.filter(({ done }) => !done).map(({ id }) => id)).toEqual([
      'test_lead',
      'active',
    ]);
    expect(status.ready).toBe(false);
    const sold = aLead({ org_id: org.id, campaign_id, is_test: true, status: 'ACCEPTED' });
    await api.collections.leads.insertOne(sold);
    await api.done(org, 'update_campaign', { campaign_id, status: 'ACTIVE' });
    status = await statusOf(org, { campaign_id });
    expect(status).toMatchObject({ ready: true, campaign: { id: campaign_id, status: 'ACTIVE' } });
    expect(status.steps.every(({ done }) => done)).toBe(true);
  });

  it('count a delivery only when it was set, even as STORE', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Row>(org, 'create_campaign', { name: 'Store' });
    const { id: buyer_id } = await api.done<Row>(org, 'create_buyer', { name: 'Keeps' });
    await api.done(org, 'add_buyer_to_campaign', { campaign_id, buyer_id });
    const isSet = async () =>
      (await statusOf(org, { campaign_id })).steps.find(({ id }) => id === 'delivery')?.done;
    expect(await isSet()).toBe(false);
    await api.done(org, 'set_buyer_delivery', { buyer_id, method: 'STORE' });
    expect(await isSet()).toBe(true);
  });
});

describe('the account', () => {
  it('shows which records are still missing', async () => {
    const status = await statusOf(await api.org());
    expect(status).toMatchObject({ ready: false, campaigns: [], next_cursor: null });
    expect(status.steps.map(({ id, action }) => [id, action?.name])).toEqual([
      ['campaign', 'create_campaign'],
      ['buyer', 'create_buyer'],
      ['supplier', 'create_supplier'],
    ]);
  });

  it('lists its campaigns by name, each with its missing steps, page by page', async () => {
    const org = await api.org();
    for (const name of ['B', 'C', 'A']) await api.done(org, 'create_campaign', { name });
    const first = await statusOf(org, { limit: 2 });
    expect(first.campaigns).toMatchObject([
      {
        name: 'A',
        ready: false,
        missing: ['buyer', 'delivery', 'supplier', 'supplier_key', 'active'],
      },
      { name: 'B' },
    ]);
    const rest = await statusOf(org, { limit: 2, cursor: first.next_cursor });
    expect([rest.campaigns?.map(({ name }) => name), rest.next_cursor]).toEqual([['C'], null]);
    const wrong = await api.call(await org.sharedKey(), 'get_onboarding_status', { cursor: '***' });
    expect([wrong.status, wrong.json?.details]).toMatchObject([422, [{ path: 'cursor' }]]);
  });
});
