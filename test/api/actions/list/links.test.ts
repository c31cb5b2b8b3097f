/** Several links of a campaign, changed in one version or not at all. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  setUp,
  startActionsApi,
  type ActionsApi,
  type Org,
  type Row,
} from '../../../support/api.js';
import { tally } from '../../../support/supplier.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

interface Shown {
  version: number;
  buyers: Row[];
  suppliers: Row[];
}

/** A campaign with two buyers and a supplier. */
async function market() {
  const org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const { id: second } = await api.done<Row>(org, 'create_buyer', { name: 'Second' });
  const campaign_id = campaign.id;
  await api.done(org, 'add_buyer_to_campaign', { campaign_id, buyer_id: second, price: 20 });
  const shown = () => api.done<Shown>(org, 'get_campaign', { campaign_id });
  const { version } = await shown();
  return { org, campaign_id, first: buyer.id, second, supplier: supplier.id, version, shown };
}

const update = async (org: Org, input: object) =>
  api.call(await org.sharedKey(), 'update_campaign_links', input);

describe('several links of a campaign', () => {
  it('are changed in one version, which names its author and every change', async () => {
    const { org, campaign_id, first, second, supplier, version, shown } = await market();
    const done = await api.done<Shown>(org, 'update_campaign_links', {
      campaign_id,
      buyers: [
        { buyer_id: first, price: 30, daily_cap: 40, total_budget: null },
        {
          buyer_id: second,
          status: 'paused',
          schedule: { days: ['mon'], from: '9:00', to: '17:00' },
        },
      ],
      suppliers: [{ supplier_id: supplier, cost_per_lead: 14.5 }],
      expected_version: version,
    });
    expect(done).toMatchObject({
      version: version + 1,
      buyers: [
        { buyer_id: first, price: 30, daily_cap: 40, total_budget: null, states: ['CA'] },
        {
          buyer_id: second,
          status: 'paused',
          schedule: [{ days: ['mon'], from: '09:00', to: '17:00' }],
        },
      ],
      suppliers: [{ supplier_id: supplier, cost_per_lead: 14.5 }],
    });
    const history = await api.done<{ versions: Row[] }>(org, 'get_plan_history', { campaign_id });
    expect(history.versions[0]).toMatchObject({
      version: version + 1,
      action: 'update_campaign_links',
      by: { kind: 'key' },
      changes: expect.arrayContaining([
        { path: 'buyers["Acme"].price', from: 25.5, to: 30 },
        { path: 'buyers["Second"].status', from: 'active', to: 'paused' },
        { path: 'suppliers["Search"].cost_per_lead', from: 12, to: 14.5 },
      ]),
    });
    expect(await shown()).toMatchObject({ version: version + 1 });
    const marked = await api.collections.campaigns.findOne({ _id: campaign_id });
    expect(marked?.unpublished).toBeUndefined();
  });

  it('are changed all or not at all: every fault is named at its place', async () => {
    const { org, campaign_id, first, second, supplier, version, shown } = await market();
    const before = await shown();
    const reply = await update(org, {
      campaign_id,
      buyers: [
        { buyer_id: first, price: 99 },
        { buyer_id: second, weight: 0.00001, states: ['Texas'] },
        { buyer_id: first, priority: 1 },
        { buyer_id: 'nobody', price: 1 },
        { buyer_id: second, filters: [{ field: 'nothing', operator: '==', value: 1 }] },
      ],
      suppliers: [{ supplier_id: supplier, revenue_share: 60 }],
      expected_version: version,
    });
    expect([reply.status, reply.json?.error]).toEqual([422, 'invalid_input']);
    const details = reply.json?.details as { path: string; message: string }[];
    expect(details.map(({ path }) => path)).toEqual([
      'buyers.1.weight',
      'buyers.1.states',
      'buyers.2.buyer_id',
      'buyers.3.buyer_id',
      'buyers.4.buyer_id',
      expect.stringMatching(/^buyers\.4\.filters/),
    ]);
    expect(details[0]?.message).toBe(
      'buyers.1.weight must be a number from 0 to 1000000 with at most 4 decimals.',
    );
    expect(details[3]?.message).toBe(`Buyer nobody is not linked to campaign ${campaign_id}.`);
    expect(await shown()).toEqual(before);
  });

  it('are shown beside the status of their buyer and supplier', async () => {
    const { org, first, supplier, shown } = await market();
    await api.done(org, 'update_buyer', { buyer_id: first, status: 'paused' });
    const { buyers, suppliers } = await shown();
    expect(buyers.find(({ buyer_id }) => buyer_id === first)).toMatchObject({
      status: 'active',
      buyer_status: 'paused',
    });
    expect(suppliers).toMatchObject([{ supplier_id: supplier, supplier_status: 'active' }]);
  });

  it('must be given', async () => {
    const { org, campaign_id } = await market();
    for (const none of [{}, { buyers: [] }, { buyers: [], suppliers: [] }])
      expect((await update(org, { campaign_id, ...none })).json).toMatchObject({
        error: 'invalid_input',
        details: [{ path: 'buyers', code: 'required' }],
      });
  });

  it('are refused over another version, naming what others changed of the given values', async () => {
    const { org, campaign_id, first, second, version, shown } = await market();
    await api.done(org, 'update_campaign_buyer', { campaign_id, buyer_id: first, price: 40 });
    const mine = {
      campaign_id,
      buyers: [
        { buyer_id: second, price: 21 },
        { buyer_id: first, daily_cap: 7, price: 50 },
      ],
      expected_version: version,
    };
    const reply = await update(org, mine);
    expect([reply.status, reply.json]).toEqual([
      400,
      expect.objectContaining({
        error: 'version_conflict',
        message:
          `The campaign has version ${version + 1}, not ${version}: it has since been changed. ` +
          'buyers.1.price was changed from 25.5 to 40. Read it again.',
        details: [
          {
            path: 'buyers.1.price',
            code: 'mismatch',
            message: 'buyers.1.price was changed from 25.5 to 40.',
          },
        ],
      }),
    ]);
    expect(await shown()).toMatchObject({ version: version + 1 });
    const again = await update(org, { ...mine, expected_version: version + 1 });
    expect([again.status, (again.json?.data as Shown).version]).toEqual([200, version + 2]);
  });

  it('are changed by one of five editors who saw the same version', async () => {
    const { org, campaign_id, first, second, version, shown } = await market();
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        update(org, {
          campaign_id,
          buyers: [first, second].map((buyer_id) => ({ buyer_id, price: n + 1 })),
          expected_version: version,
        }),
      ),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 1, 400: 4 });
    expect(new Set(replies.map(({ json }) => json?.error))).toEqual(
      new Set([undefined, 'version_conflict']),
    );
    // Never half of one and half of another.
    const prices = (await shown()).buyers.map(({ price }) => price);
    expect(new Set(prices).size).toBe(1);
  });

  it('are all kept where five editors change them without a version', async () => {
    const { org, campaign_id, first, second, shown } = await market();
    const caps = ['hourly_cap', 'daily_cap', 'weekly_cap', 'monthly_cap', 'total_cap'];
    const replies = await Promise.all(
      caps.map((cap, n) =>
        update(org, {
          campaign_id,
          buyers: [first, second].map((buyer_id) => ({ buyer_id, [cap]: n + 1 })),
        }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const all = Object.fromEntries(caps.map((cap, n) => [cap, n + 1]));
    for (const link of (await shown()).buyers) expect(link).toMatchObject(all);
  });

  it('belong to one organization, and to those who may change campaigns', async () => {
    const { org, campaign_id, first, second, version } = await market();
    const other = await market();
    const foreign = await update(other.org, {
      campaign_id,
      buyers: [{ buyer_id: first, price: 1 }],
    });
    expect(foreign.json).toMatchObject({ error: 'record_not_found' });
    const smuggled = await update(org, {
      campaign_id,
      buyers: [
        { buyer_id: second, price: 1 },
        { buyer_id: other.first, price: 1 },
      ],
    });
    expect(smuggled.json).toMatchObject({ details: [{ path: 'buyers.1.buyer_id' }] });
    const reader = await org.key(['campaigns:read']);
    const refused = await api.call(reader, 'update_campaign_links', {
      campaign_id,
      buyers: [{ buyer_id: first, price: 1 }],
    });
    expect([refused.status, refused.json?.required]).toEqual([403, 'campaigns:write']);
    const now = await api.done<Shown>(org, 'get_campaign', { campaign_id });
    expect(now.version).toBe(version);
  });
});

describe('two versions of a campaign', () => {
  it('are compared, whichever is newer', async () => {
    const { org, campaign_id, first, version } = await market();
    await api.done(org, 'update_campaign_buyer', { campaign_id, buyer_id: first, price: 40 });
    await api.done(org, 'update_campaign_buyer', { campaign_id, buyer_id: first, price: 41 });
    const between = async (versions: object) => {
      const history = await api.done<{ difference?: object }>(org, 'get_plan_history', {
        campaign_id,
        ...versions,
      });
      return history.difference;
    };
    const path = 'buyers["Acme"].price';
    expect(await between({ from_version: version })).toEqual({
      from_version: version,
      to_version: version + 2,
      changes: [{ path, from: 25.5, to: 41 }],
      more_changes: 0,
    });
    expect(await between({ from_version: version + 2, to_version: version })).toMatchObject({
      changes: [{ path, from: 41, to: 25.5 }],
    });
    expect(await between({})).toBeUndefined();
    const key = await org.sharedKey();
    const alone = await api.call(key, 'get_plan_history', { campaign_id, to_version: 1 });
    expect(alone.json).toMatchObject({ details: [{ path: 'from_version', code: 'required' }] });
    const unknown = await api.call(key, 'get_plan_history', { campaign_id, from_version: 99 });
    expect(unknown.json).toMatchObject({ error: 'record_not_found' });
  });
});
