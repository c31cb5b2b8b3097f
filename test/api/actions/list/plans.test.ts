/** The versions of a campaign: the changes in each, and reverting to one. */
import { accountOf } from '../../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTextCursor } from '../../../../src/api/actions/cursor.js';
import { updateCampaign } from '../../../../src/account/campaigns/campaigns.js';
import { withoutKeys } from '../../../../src/lib/defined.js';
import type { Plan } from '../../../../src/account/rules/plan.js';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

interface Version {
  version: number;
  at: string | null;
  by: { kind: string; id: string | null; name: string | null } | null;
  action: string | null;
  reverted_to: number | null;
  changes: { path: string; from: unknown; to: unknown }[];
}
interface History {
  version: number;
  versions: Version[];
  next_cursor: string | null;
}
const history = (org: Org, campaign_id: string, more = {}) =>
  api.done<History>(org, 'get_plan_history', { campaign_id, ...more });
const refusal = ({ status, json }: Awaited<ReturnType<ActionsApi['call']>>) => [
  status,
  json?.error,
  json?.message,
];
/** The part of a plan that decides leads, without its time and author. */
async function planOf(campaign_id: string, version: number): Promise<Partial<Plan> | undefined> {
  const found = await api.collections.plans.findOne({ campaign_id, version });
  if (!found) return undefined;
  return withoutKeys(found, ['_id', 'version', 'published']);
}

describe('the history of a campaign', () => {
  it('shows the key and action that created each version, and its changes', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const link = { campaign_id: campaign.id, buyer_id: buyer.id };
    await api.done(org, 'update_campaign_buyer', { ...link, price: 30 });
    const { version, versions, next_cursor } = await history(org, campaign.id);
    expect([version, next_cursor, versions.map((one) => one.version)]).toEqual([
      4,
      null,
      [4, 3, 2, 1],
    ]);
    expect(versions[0]).toMatchObject({
      by: { kind: 'key', id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: expect.any(String) },
      action: 'update_campaign_buyer',
      reverted_to: null,
      more_changes: 0,
      changes: [{ path: 'buyers["Acme"].price', from: 25.5, to: 30 }],
    });
    expect(Date.now() - Date.parse(versions[0]?.at ?? '')).toBeLessThan(600_000);
    expect(versions.map(({ action }) => action)).toEqual([
      'update_campaign_buyer',
      'add_supplier_to_campaign',
      'add_buyer_to_campaign',
      'create_campaign',
    ]);
    expect(versions[1]?.changes).toMatchObject([
      { path: 'suppliers["Search"]', from: null, to: { cost_per_lead: 12 } },
    ]);
    expect(JSON.stringify(versions)).not.toMatch(/"iv"|api_key|webhook_secret/);
  });

  it('is returned in consistent pages', async () => {
    const org = await api.org();
    const { campaign } = await setUp(api, org);
    const whole = await history(org, campaign.id);
    const first = await history(org, campaign.id, { limit: 2 });
    const rest = await history(org, campaign.id, { limit: 2, cursor: first.next_cursor });
    expect([...first.versions, ...rest.versions]).toEqual(whole.versions);
    expect([typeof first.next_cursor, rest.next_cursor]).toEqual(['string', null]);
    const wrong = await api.call(await org.sharedKey(), 'get_plan_history', {
      campaign_id: campaign.id,
      cursor: 'x',
    });
    expect([wrong.status, wrong.json?.details]).toMatchObject([422, [{ path: 'cursor' }]]);
    const noVersion = writeTextCursor('get_plan_history', 'soon');
    const forged = await api.call(await org.sharedKey(), 'get_plan_history', {
      campaign_id: campaign.id,
      cursor: noVersion,
    });
    expect([forged.status, forged.json?.details]).toMatchObject([422, [{ path: 'cursor' }]]);
  });

  it('names local where no key made a change, and null where it was not recorded', async () => {
    const org = await api.org();
    const { id } = await api.done<Row>(org, 'create_campaign', { name: 'Local' });
    await updateCampaign(accountOf(api, org.id), id, { max_sells: 2 });
    await api.collections.plans.updateOne({ _id: `${id}:1` }, { $unset: { published: '' } });
    const { versions } = await history(org, id);
    expect(versions).toMatchObject([
      { version: 2, by: { kind: 'local', id: null, name: null }, action: null },
      { version: 1, by: null, at: null, action: null },
    ]);
  });

  it('keeps the author of a change when another process publishes it', async () => {
    const org = await api.org();
    const { id } = await api.done<Row>(org, 'create_campaign', { name: 'Cut off' });
    const author = { key: { id: 'k', name: 'The one cut off' }, action: 'update_campaign' };
    // The process of the change stopped before it published the version.
    await api.collections.campaigns.updateOne(
      { _id: id },
      { $set: { max_sells: 7, changed_from: 1, changed_by: author } },
    );
    await api.done(org, 'update_campaign', { campaign_id: id, answer_within_ms: 500 });
    const { versions } = await history(org, id);
    expect(versions.slice(0, 2)).toMatchObject([
      { version: 3, changes: [{ path: 'answer_within_ms' }] },
      {
        version: 2,
        by: { name: 'The one cut off' },
        changes: [{ path: 'max_sells', from: 1, to: 7 }],
      },
    ]);
  });
});

describe('reverting to an earlier version', () => {
  /** A campaign with links at version 3, and very different at the end. */
  async function changed(org: Org) {
    const made = await setUp(api, org);
    const { campaign, buyer } = made;
    const campaign_id = campaign.id;
    await api.done(org, 'update_campaign', {
      campaign_id,
      name: 'Changed',
      status: 'PAUSED',
      max_sells: 3,
      monthly_budget: 9,
    });
    await api.done(org, 'add_campaign_fields', {
      campaign_id,
      fields: [{ name: 'age', type: 'Number' }],
    });
    await api.done(org, 'update_inbound_filters', {
      campaign_id,
      filters: [{ field: 'age', operator: '>', value: 18 }],
    });
    await api.done(org, 'update_campaign_buyer', {
      campaign_id,
      buyer_id: buyer.id,
      price: 1,
      states: [],
      filters: null,
      status: 'paused',
      daily_cap: null,
    });
    const second = await api.done<Row>(org, 'create_buyer', { name: 'Second' });
    await api.done(org, 'add_buyer_to_campaign', { campaign_id, buyer_id: second.id });
    return { ...made, campaign_id, second };
  }

  it('creates a new version that equals it, and can itself be reverted', async () => {
    const org = await api.org();
    const { campaign_id, supplier } = await changed(org);
    const last = (await history(org, campaign_id)).version;
    const done = await api.done(org, 'revert_plan', { campaign_id, version: 3 });
    expect(done).toEqual({
      campaign_id,
      version: last + 1,
      reverted_to: 3,
      left_out: [],
      still_different: [],
    });
    expect(await planOf(campaign_id, last + 1)).toEqual(await planOf(campaign_id, 3));
    expect(await api.done(org, 'get_campaign', { campaign_id })).toMatchObject({
      name: 'Auto',
      status: 'ACTIVE',
      max_sells: 1,
      filters: null,
      version: last + 1,
      buyers: [{ name: 'Acme', status: 'active', price: 25.5, states: ['CA'], daily_cap: 100 }],
      suppliers: [{ supplier_id: supplier.id, cost_per_lead: 12 }],
    });
    const [entry] = (await history(org, campaign_id)).versions;
    expect(entry).toMatchObject({ action: 'revert_plan', reverted_to: 3 });
    await api.done(org, 'revert_plan', { campaign_id, version: last });
    expect(await planOf(campaign_id, last + 2)).toEqual(await planOf(campaign_id, last));
    const audit = await api.collections.audit
      .find({ org_id: org.id, action: 'revert_plan' })
      .toArray();
    expect(audit.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  it('lists what does not belong to the campaign and stays', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    await api.done(org, 'update_buyer', { buyer_id: buyer.id, test_mode: true });
    const done = await api.done(org, 'revert_plan', { campaign_id: campaign.id, version: 3 });
    expect(done).toMatchObject({
      still_different: [{ path: 'buyers["Acme"].test_mode', from: false, to: true }],
    });
  });

  it('leaves out a deleted supplier and names it, and refuses when a buyer was deleted', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const campaign_id = campaign.id;
    await api.done(org, 'delete_supplier', { supplier_id: supplier.id });
    expect(await api.done(org, 'revert_plan', { campaign_id, version: 3 })).toMatchObject({
      left_out: [{ supplier_id: supplier.id, name: 'Search' }],
      still_different: [{ path: 'suppliers["Search"]', to: null }],
    });
    await api.collections.buyers.deleteOne({ _id: buyer.id });
    const before = await api.collections.campaigns.findOne({ _id: campaign_id });
    const reply = await api.call(await org.sharedKey(), 'revert_plan', { campaign_id, version: 3 });
    expect(refusal(reply)).toEqual([
      400,
      'action_refused',
      expect.stringContaining('sells to Acme, which has since been deleted'),
    ]);
    expect(await api.collections.campaigns.findOne({ _id: campaign_id })).toMatchObject({
      name: before?.name,
      status: before?.status,
    });
  });

  it('refuses a version that does not exist, a name that is in use, and a campaign that has changed', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Row>(org, 'create_campaign', { name: 'Was' });
    await api.done(org, 'update_campaign', { campaign_id, name: 'Is' });
    const key = await org.sharedKey();
    const call = async (input: object) =>
      refusal(await api.call(key, 'revert_plan', { campaign_id, ...input }));
    expect(await call({ version: 9 })).toEqual([
      400,
      'record_not_found',
      'The campaign has no version 9; it has 1 to 2.',
    ]);
    expect(await call({ version: 1, expected_version: 1 })).toEqual([
      400,
      'version_conflict',
      'The campaign has version 2, not 1: it has since been changed. Read it again.',
    ]);
    await api.done(org, 'create_campaign', { name: 'Was' });
    expect(await call({ version: 1 })).toEqual([
      422,
      'invalid_input',
      'Another campaign is already named "Was".',
    ]);
    expect((await history(org, campaign_id)).version).toBe(2);
  });

  it('first publishes a change without a version, and then reverts', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const campaign_id = campaign.id;
    const _id = `${campaign_id}:${buyer.id}`;
    await api.collections.campaignBuyers.updateOne({ _id }, { $set: { price: 77_000_000 } });
    const strict = await api.call(await org.sharedKey(), 'revert_plan', {
      campaign_id,
      version: 3,
      expected_version: 3,
    });
    expect(refusal(strict).slice(0, 2)).toEqual([400, 'version_conflict']);
    await api.collections.campaignBuyers.updateOne({ _id }, { $set: { price: 78_000_000 } });
    await api.done(org, 'revert_plan', { campaign_id, version: 3 });
    const { versions } = await history(org, campaign_id);
    expect(versions.slice(0, 3).map(({ changes }) => changes.map(({ to }) => to))).toEqual([
      [25.5],
      [78],
      [77],
    ]);
    // The authors of these changes are unknown.
    expect(versions.slice(1, 3).map(({ by }) => by)).toEqual([null, null]);
  });

  it('loses none of the concurrent changes', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const campaign_id = campaign.id;
    const key = await org.sharedKey();
    const prices = [31, 32];
    const replies = await Promise.all([
      ...prices.flatMap((price) => [
        api.call(key, 'update_campaign_buyer', { campaign_id, buyer_id: buyer.id, price }),
        api.call(key, 'revert_plan', { campaign_id, version: 3 }),
      ]),
      api.call(key, 'update_campaign', { campaign_id, max_sells: 5 }),
      api.call(key, 'update_campaign_supplier', {
        campaign_id,
        supplier_id: supplier.id,
        cost_per_lead: 3,
      }),
    ]);
    expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
    // A change is in effect, or is in the history followed by a later one.
    const { versions } = await history(org, campaign_id, { limit: 50 });
    const told = versions.flatMap(({ changes }) =>
      changes.map(({ path, to }) => `${path} ${String(to)}`),
    );
    const now = await api.done<Row>(org, 'get_campaign', { campaign_id });
    const plan = await planOf(campaign_id, now.version);
    expect(now.buyers).toMatchObject([{ price: (plan?.buyers?.[0]?.price ?? 0) / 1e6 }]);
    expect(told).toContain('max_sells 5');
    expect(told).toContain('suppliers["Search"].cost_per_lead 3');
  });
});
