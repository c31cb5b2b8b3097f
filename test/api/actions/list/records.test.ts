/** Records that end: links that are removed, campaigns and buyers that are archived, automations that are deleted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buyerPlace } from '../../../../src/account/links/buyerLinks.js';
import { linkId } from '../../../../src/account/links/storeLink.js';
import { findUnpublishedChanges } from '../../../../src/account/plans/findUnpublishedChanges.js';
import { unpublishedNow } from '../../../../src/account/plans/unpublished.js';
import { createAutomationStore } from '../../../../src/automations/store/automations.js';
import { createEventDeliveryStore } from '../../../../src/automations/store/eventDeliveries.js';
import { newEventDelivery } from '../../../../src/automations/fanOut.js';
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

const scene = async () => {
  const org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const ids = { campaign_id: campaign.id, buyer_id: buyer.id, supplier_id: supplier.id };
  const bought = { campaign_id: ids.campaign_id, buyer_id: ids.buyer_id };
  return { org, ...ids, bought, sent: { campaign_id: campaign.id, supplier_id: supplier.id } };
};
const planOf = async (campaign_id: string) =>
  (await api.collections.plans.find({ campaign_id }).sort({ version: -1 }).toArray())[0];
const refusalOf = async (org: Org, ...call: [Parameters<ActionsApi['call']>[1], object]) => {
  const { status, json } = await api.call(await org.sharedKey(), ...call);
  return [status, json?.error, json?.message];
};

describe('remove_buyer_from_campaign', () => {
  it('makes a version without the buyer, which revert_plan takes back with all its terms', async () => {
    const { org, campaign_id, buyer_id, bought } = await scene();
    const before = await planOf(campaign_id);
    expect(await api.done(org, 'remove_buyer_from_campaign', { ...bought, dry_run: true })).toEqual(
      { ...bought, removed: false, version: before?.version, waiting: { parked: 0, unknown: 0 } },
    );
    const done = await api.done<Row>(org, 'remove_buyer_from_campaign', bought);
    expect(done).toMatchObject({ removed: true, version: (before?.version ?? 0) + 1 });
    expect((await planOf(campaign_id))?.buyers).toEqual([]);
    expect((await api.done<Row>(org, 'get_campaign', { campaign_id })).buyers).toEqual([]);
    const { versions } = await api.done<{ versions: Row[] }>(org, 'get_plan_history', {
      campaign_id,
    });
    expect(versions[0]).toMatchObject({ action: 'remove_buyer_from_campaign' });
    await api.done(org, 'revert_plan', { campaign_id, version: before?.version });
    expect((await planOf(campaign_id))?.buyers).toEqual(before?.buyers);
    expect(buyer_id).toBe((await planOf(campaign_id))?.buyers[0]?.buyer_id);
  });

  it('is done by one of two callers, and leaves no change of the link behind', async () => {
    const { org, campaign_id, bought } = await scene();
    const key = await org.sharedKey();
    const calls = [
      api.call(key, 'remove_buyer_from_campaign', bought),
      api.call(key, 'update_campaign_buyer', { ...bought, price: 31 }),
      api.call(key, 'remove_buyer_from_campaign', bought),
      api.call(key, 'update_campaign', { campaign_id, daily_cap: 7 }),
    ];
    const [first, , second, other] = await Promise.all(calls);
    const statuses = [first?.status, second?.status].toSorted();
    expect([statuses, other?.status]).toEqual([[200, 400], 200]);
    const plan = await planOf(campaign_id);
    expect([plan?.buyers, plan?.caps]).toEqual([[], { daily_cap: 7 }]);
    expect(await api.collections.campaignBuyers.countDocuments({ campaign_id })).toBe(0);
  });

  it('is published by reconcile where the process dies before it is', async () => {
    const { org, campaign_id, bought } = await scene();
    // What its transaction stores, and nothing after it.
    await api.collections.campaignBuyers.deleteOne({
      _id: linkId(campaign_id, bought.buyer_id),
    });
    const mark = { ...unpublishedNow({ action: 'remove_buyer_from_campaign' }), at: new Date(0) };
    await api.collections.campaigns.updateOne(
      { _id: campaign_id },
      { $set: { unpublished: mark } },
    );
    expect((await planOf(campaign_id))?.buyers).toHaveLength(1);
    const left = await findUnpublishedChanges(api.collections, new Date(), 100);
    await left.find(({ what }) => what === `campaign ${campaign_id}`)?.publish();
    expect(await planOf(campaign_id)).toMatchObject({
      buyers: [],
      published: { action: 'remove_buyer_from_campaign' },
    });
    expect(org.id).not.toBe('');
  });

  it('is refused for a buyer that is not linked, and for another organization', async () => {
    const { org, bought } = await scene();
    await api.done(org, 'remove_buyer_from_campaign', bought);
    const text = `Buyer ${bought.buyer_id} is not linked to campaign ${bought.campaign_id}.`;
    for (const input of [bought, { ...bought, dry_run: true }])
      expect(await refusalOf(org, 'remove_buyer_from_campaign', input)).toEqual([
        400,
        'record_not_found',
        text,
      ]);
    const { bought: theirs } = await scene();
    expect((await refusalOf(org, 'remove_buyer_from_campaign', theirs))[1]).toBe(
      'record_not_found',
    );
    const place = buyerPlace({ collections: api.collections }, theirs);
    expect(await place.links.countDocuments({ campaign_id: theirs.campaign_id })).toBe(1);
  });
});

describe('remove_supplier_from_campaign', () => {
  it('is refused while visitors of a funnel send leads for the supplier', async () => {
    const { org, campaign_id, supplier_id, sent } = await scene();
    const funnel = {
      _id: 'fun_1',
      org_id: org.id,
      name: 'Roofs',
      slug: 'roofs',
      campaign_id,
      supplier_id,
      status: 'published',
    };
    await api.collections.funnels.insertOne(funnel as never);
    const [status, code, message] = await refusalOf(org, 'remove_supplier_from_campaign', sent);
    expect([status, code]).toEqual([400, 'action_refused']);
    expect(message).toMatch(/"Roofs" \(fun_1\).*unpublish_funnel/);
    await api.collections.funnels.updateOne({ _id: 'fun_1' }, { $set: { status: 'unpublished' } });
    expect(await api.done(org, 'remove_supplier_from_campaign', sent)).toMatchObject({
      removed: true,
    });
    expect((await planOf(campaign_id))?.suppliers).toEqual({});
  });
});

describe('archive_campaign', () => {
  it('hides the campaign from lists until its status is set again', async () => {
    const { org, campaign_id } = await scene();
    const names = async (input = {}) =>
      (await api.done<Row[]>(org, 'list_campaigns', input)).map(({ status }) => status);
    expect(await api.done(org, 'archive_campaign', { campaign_id, dry_run: true })).toMatchObject({
      archived: false,
    });
    expect(await names()).toEqual(['ACTIVE']);
    const { version } = await api.done<Row>(org, 'archive_campaign', { campaign_id });
    // Repeated, it makes no version.
    expect(await api.done(org, 'archive_campaign', { campaign_id })).toMatchObject({
      archived: true,
      version,
      waiting: { parked: 0, unknown: 0 },
      published_funnels: [],
    });
    expect([
      await names(),
      await names({ include_archived: true }),
      await names({ status: 'ARCHIVED' }),
    ]).toEqual([[], ['ARCHIVED'], ['ARCHIVED']]);
    await api.done(org, 'update_campaign', { campaign_id, status: 'PAUSED' });
    expect(await names()).toEqual(['PAUSED']);
  });
});

describe('archive_buyer', () => {
  it('pauses the buyer in every campaign, hides it, links it to none, and ends with a status', async () => {
    const { org, campaign_id, buyer_id } = await scene();
    const listed = async (input = {}) =>
      (await api.done<Row[]>(org, 'list_buyers', input)).map((one) => one.archived_at);
    expect(await api.done(org, 'archive_buyer', { buyer_id, dry_run: true })).toMatchObject({
      archived: false,
      archived_at: null,
    });
    const { archived_at } = await api.done<Row>(org, 'archive_buyer', { buyer_id });
    expect(await api.done(org, 'archive_buyer', { buyer_id })).toMatchObject({ archived_at });
    expect((await planOf(campaign_id))?.buyers[0]?.status).toBe('paused');
    expect([await listed(), await listed({ include_archived: true })]).toEqual([[], [archived_at]]);
    const { id: other } = await api.done<Row>(org, 'create_campaign', { name: 'Other' });
    const link = { campaign_id: other, buyer_id };
    expect((await refusalOf(org, 'add_buyer_to_campaign', link)).slice(0, 2)).toEqual([
      400,
      'action_refused',
    ]);
    // A change of anything else leaves it archived.
    await api.done(org, 'update_buyer', { buyer_id, phone: '+14155550100' });
    expect(await listed()).toEqual([]);
    await api.done(org, 'update_buyer', { buyer_id, status: 'active' });
    expect(await listed()).toEqual([null]);
    expect((await planOf(campaign_id))?.buyers[0]?.status).toBe('active');
  });
});

describe('copy_campaign', () => {
  it('has the settings and the terms of the other, a version of its own, and nothing that happened', async () => {
    const { org, campaign_id, buyer_id, bought } = await scene();
    const url = 'https://buyer.example/solar';
    await api.done(org, 'set_buyer_delivery', { buyer_id, url });
    const headers = { 'X-Key': 'k-1' };
    await api.done(org, 'update_campaign_buyer', { ...bought, delivery: { url, headers } });
    await api.done(org, 'add_campaign_fields', {
      campaign_id,
      fields: [{ name: 'roof', type: 'String' }],
    });
    const made = await api.done<Row>(org, 'copy_campaign', { campaign_id, name: 'Auto 2' });
    expect(made).toMatchObject({
      copied_from: campaign_id,
      status: 'PAUSED',
      buyers: 1,
      suppliers: 1,
    });
    const [from, to] = [await planOf(campaign_id), await planOf(made.id)];
    const own = { _id: 0, campaign_id: 0, version: 0, name: 0, status: 0, published: 0 };
    expect({ ...to, ...own }).toEqual({ ...from, ...own });
    expect([to?.version, to?.name, to?.status, made.version]).toEqual([
      1,
      'Auto 2',
      'PAUSED',
      undefined,
    ]);
    const bare = { campaign_id, name: 'Bare', buyers: false, suppliers: false, status: 'ACTIVE' };
    const { id } = await api.done<Row>(org, 'copy_campaign', bare);
    expect(await planOf(id)).toMatchObject({ buyers: [], suppliers: {}, status: 'ACTIVE' });
  });

  it('needs buyers:write where a link says where leads go, and leaves archived buyers out', async () => {
    const { org, campaign_id, buyer_id, bought } = await scene();
    await api.done(org, 'update_campaign_buyer', { ...bought, delivery: { timeout_ms: 700 } });
    const key = await org.key(['campaigns:write']);
    const copy = (name: string, more = {}) =>
      api.call(key, 'copy_campaign', { campaign_id, name, ...more });
    expect((await copy('A')).json).toMatchObject({ error: 'forbidden', required: 'buyers:write' });
    expect((await copy('B', { buyers: false })).status).toBe(200);
    await api.done(org, 'archive_buyer', { buyer_id });
    expect((await copy('C')).json?.data).toMatchObject({
      buyers: 0,
      left_out: [{ buyer_id, name: 'Acme' }],
    });
    expect((await copy('C')).json?.message).toMatch(/already named "C"/);
    const names = await api.collections.campaigns.distinct('name', { org_id: org.id });
    expect(names).toEqual(['Auto', 'B', 'C']);
  });
});

describe('delete_automation', () => {
  const event = { _id: 'evt_1', type: 'lead.accepted', lead_id: 'l1', ord: 1 } as const;
  const webhook = {
    trigger: 'lead.accepted',
    action: 'WEBHOOK',
    target: { url: 'https://a.example/' },
  };

  it('ends the subscription, and drops what waits, which it tells', async () => {
    const { org } = await scene();
    const { id } = await api.done<Row>(org, 'create_automation', { name: 'CRM', ...webhook });
    const store = createEventDeliveryStore(api.collections.eventDeliveries);
    const made = { ...event, org_id: org.id, created_at: new Date(0) };
    await store.add([newEventDelivery(made, id, new Date())]);
    const named = { automation_id: id };
    expect(await api.done(org, 'delete_automation', { ...named, dry_run: true })).toEqual({
      id,
      name: 'CRM',
      deleted: false,
      dropped: 1,
    });
    expect(await api.done(org, 'delete_automation', named)).toMatchObject({
      deleted: true,
      dropped: 1,
    });
    expect(await api.collections.eventWants.findOne({ _id: org.id })).toMatchObject({ types: [] });
    expect(await api.collections.eventDeliveries.findOne({ automation_id: id })).toMatchObject({
      state: 'parked',
      reason: 'The automation was deleted',
    });
    expect((await refusalOf(org, 'delete_automation', named))[1]).toBe('record_not_found');
  });

  it('is refused for the webhook of a supplier, as long as that exists', async () => {
    const { org, supplier_id } = await scene();
    const { id } = await api.done<Row>(org, 'create_automation', { name: 'Theirs', ...webhook });
    await api.collections.automations.updateOne({ _id: id }, { $set: { supplier_id } });
    for (const more of [{}, { dry_run: true }])
      expect((await refusalOf(org, 'delete_automation', { automation_id: id, ...more }))[1]).toBe(
        'action_refused',
      );
    await api.done(org, 'delete_supplier', { supplier_id });
    await api.done(org, 'delete_automation', { automation_id: id });
    expect(await createAutomationStore(api.collections.automations).get([id])).toEqual([]);
  });
});

describe('whole rows', () => {
  it('show what get_ shows of each record', async () => {
    const { org, campaign_id, buyer_id } = await scene();
    await api.done(org, 'create_campaign', { name: 'Second' });
    await api.done(org, 'create_automation', { name: 'All', ...webhook });
    const [first, second] = await api.done<Row[]>(org, 'list_campaigns', { whole: true });
    expect(first).toEqual(await api.done(org, 'get_campaign', { campaign_id }));
    expect(second).toEqual(await api.done(org, 'get_campaign', { campaign_id: second?.id }));
    const [listed] = await api.done<Row[]>(org, 'list_buyers', { whole: true });
    const { delivery_overrides, campaigns, ...buyer } = await api.done<Row>(org, 'get_buyer', {
      buyer_id,
    });
    expect([listed, delivery_overrides]).toEqual([{ ...buyer, tls_problem: null }, []]);
    // A list leaves out the campaigns, which `list_campaigns` has with their buyers.
    expect(campaigns).toMatchObject([{ campaign_id }]);
  });

  const webhook = {
    trigger: 'lead.accepted',
    action: 'WEBHOOK',
    target: { url: 'https://a.example/' },
  };
});
