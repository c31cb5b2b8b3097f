/** Two organizations: neither can tell that the other exists. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { aLead, aRow, NOW } from '../../support/storedRows.js';
import { signInMember } from '../../support/portal.js';
import { aPing } from '../../support/pingBuilders.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

const BUYER = '5b0a3c1e-7e0f-4a53-9c2d-6f3e2a1b4c5d';
const ABSENT = '00000000-0000-4000-8000-000000000000';

const longestFirst = (a: string, b: string) => b.length - a.length;

describe('the records of another organization', () => {
  let api: ActionsApi;
  let mine: Org;
  /** Ids of the other organization's records, by input key. */
  let theirs: Record<string, string>;
  /** Everything stored: no call of another organization changes it. */
  let before: string;

  beforeAll(async () => {
    api = await startActionsApi();
    mine = await api.org();
    const other = await api.org();
    const made = async (
      action: 'create_campaign' | 'create_buyer' | 'create_supplier' | 'create_api_key',
    ) => (await api.done<{ id: string }>(other, action, { name: 'Theirs' })).id;
    const lead = aLead({ org_id: other.id, keys: ['phone:+15550009999'] });
    await api.collections.leads.insertOne(lead);
    const delivery = aRow({ org_id: other.id, lead_id: lead._id, state: 'parked' });
    await api.collections.deliveries.insertOne(delivery);
    const automation = await api.done<{ id: string }>(other, 'create_automation', {
      name: 'Theirs',
      trigger: 'lead.created',
      action: 'WEBHOOK',
      target: { url: 'https://theirs.example/' },
    });
    const list = await api.done<{ list_id: string }>(other, 'upload_suppressions', {
      name: 'Theirs',
      csv: 'phone\n4155550134',
    });
    const ping = aPing({ org_id: other.id });
    await api.collections.pings.insertOne(ping);
    await api.collections.returns.insertOne({
      _id: `${lead._id}:${BUYER}:1`,
      org_id: other.id,
      lead_id: lead._id,
      buyer_id: BUYER,
      campaign_id: lead.campaign_id,
      reason: 'other',
      note: null,
      state: 'requested',
      lead_day: '2026-11-21',
      created_at: NOW,
      requested_by: { kind: 'user' },
    });
    await api.collections.events.insertOne({
      _id: `evt_${lead._id}_1`,
      org_id: other.id,
      type: 'buyer.paused',
      created_at: NOW,
      recorded_at: NOW,
      data: { buyer_id: BUYER, until: null, failures: 5, reason: '' },
    });
    await api.collections.changeRequests.insertOne({
      _id: 'chg_theirs',
      org_id: other.id,
      side: 'buyer',
      party_id: BUYER,
      campaign_id: null,
      before: { status: 'active' },
      after: { status: 'paused' },
      base_version: 0,
      reason: null,
      state: 'pending',
      created_at: NOW,
      requested_by: { kind: 'person', id: 'per_1', name: 'Pat' },
    });
    const linked = {
      campaign_id: await made('create_campaign'),
      supplier_id: await made('create_supplier'),
    };
    await api.done(other, 'add_supplier_to_campaign', linked);
    const funnel = await api.done<{ id: string }>(other, 'create_funnel', {
      template: 'quiz',
      ...linked,
    });
    const view = await api.done<{ id: string }>(other, 'save_view', {
      screen: 'leads',
      name: 'Theirs',
      query: 'status=REJECTED',
      is_shared: true,
    });
    theirs = {
      ...linked,
      funnel_id: funnel.id,
      buyer_id: await made('create_buyer'),
      key_id: await made('create_api_key'),
      lead_id: lead._id,
      record_id: lead._id,
      delivery_id: delivery._id,
      automation_id: automation.id,
      list_id: list.list_id,
      ping_id: ping._id,
      return_id: `${lead._id}:${BUYER}:1`,
      event_id: `evt_${lead._id}_1`,
      request_id: 'chg_theirs',
      view_id: view.id,
      ...(await member(other.id)),
    };
    const { campaign_id, buyer_id } = theirs;
    await api.done(other, 'add_buyer_to_campaign', { campaign_id, buyer_id });
    before = await everything();
  });
  afterAll(() => api.stop());

  const everything = async () => {
    const { campaigns, buyers, suppliers, campaignBuyers, campaignSuppliers } = api.collections;
    const { plans, leads, commands, suppressionLists, apiKeys, returns } = api.collections;
    const { automations, events, eventDeliveries, pings, deliveries } = api.collections;
    const links = [campaignBuyers, campaignSuppliers, plans, commands, suppressionLists, returns];
    const told = [automations, events, eventDeliveries, pings, deliveries];
    const { changeRequests, portalSettings, memberships, sessions, funnels } = api.collections;
    const { savedViews } = api.collections;
    const found = await Promise.all([
      ...[campaigns, buyers, suppliers, leads, ...links, ...told].map((one) =>
        one.find().toArray(),
      ),
      ...[changeRequests, portalSettings, memberships, sessions, funnels].map((one) =>
        one.find().toArray(),
      ),
      savedViews.find().toArray(),
      apiKeys.find({ revoked_at: { $exists: true } }).toArray(),
    ]);
    return JSON.stringify(found);
  };

  /** A signed-in member of the organization. */
  const member = async (org_id: string) => {
    const made = await signInMember(api.collections, { org_id, scope: { kind: 'organization' } });
    return { member_id: made.membership_id, session_id: made.session_id };
  };
  /** Inputs that name either a buyer or a supplier. */
  const ofOnePartner = (name: string) =>
    /portal/.test(name)
      ? name !== 'enable_supplier_portal'
      : ['list_change_requests', 'list_audit'].includes(name);

  const naming = REGISTRY.filter(({ input }) =>
    Object.keys(input.shape).some((key) => key.endsWith('_id') && key !== 'client_id'),
  );

  it('are tried by every kind of id that an input names', () => {
    const kinds = new Set(
      naming.flatMap(({ input }) => Object.keys(input.shape)).filter((key) => key.endsWith('_id')),
    );
    // Ids of other services, and names that a caller gives: a spreadsheet, a click, an import.
    const foreign = ['spreadsheet_id', 'click_id', 'client_id', 'import_id'];
    expect([...kinds].filter((key) => !(key in theirs) && !foreign.includes(key))).toEqual([]);
  });

  it.each(naming.map((action) => [action.name, action] as const))(
    '%s answers as for records that do not exist, and changes nothing',
    async (name, { example, input }) => {
      const isScoped = 'scope' in input.shape;
      const idKeys = isScoped
        ? ['campaign_id']
        : Object.keys(input.shape).filter(
            (key) => key in theirs && !(ofOnePartner(name) && key === 'supplier_id'),
          );
      const withIds = (idOf: (key: string) => string) => ({
        ...example,
        ...(isScoped ? { scope: 'campaign' } : {}),
        ...Object.fromEntries(idKeys.map((key) => [key, idOf(key)])),
      });
      const asked = await api.call(
        await mine.sharedKey(),
        name,
        withIds((key) => theirs[key] ?? ''),
      );
      const absent = await api.call(
        await mine.sharedKey(),
        name,
        withIds(() => ABSENT),
      );
      const named = [...idKeys.map((key) => theirs[key] ?? ''), ABSENT].toSorted(longestFirst);
      const said = ({ status, json }: typeof asked) => [
        status,
        json?.error,
        named.reduce((text, id) => text.replaceAll(id, 'ID'), String(json?.message)),
      ];
      // A missing record need not be deleted: the answer says so, and is not a refusal.
      const isDone = name === 'delete_suppression_list';
      // The history of a deleted partner is still listed; for one that never existed the list is empty.
      const isEmpty = name === 'list_audit';
      const isFound = isDone || isEmpty;
      expect([asked.status, asked.json?.error]).toEqual(
        isFound ? [200, undefined] : [400, 'record_not_found'],
      );
      if (isEmpty) expect(asked.json?.data).toEqual([]);
      if (isDone) expect(asked.json?.data).toMatchObject({ existed: false });
      expect(said(asked)).toEqual(said(absent));
      expect(await everything()).toBe(before);
    },
  );

  it('are reported as not found to a command that names them among others, and stay as they are', async () => {
    const key = await mine.sharedKey();
    const { delivery_id = '', lead_id = '', return_id = '' } = theirs;
    const commands = [
      ['retry_deliveries', { delivery_ids: [delivery_id] }],
      ['hold_deliveries', { delivery_ids: [delivery_id] }],
      ['drop_deliveries', { delivery_ids: [delivery_id] }],
      ['resolve_deliveries', { delivery_ids: [delivery_id], result: 'accepted' }],
      ['request_returns', { lead_ids: [lead_id], reason: 'other' }],
      ['resolve_returns', { return_ids: [return_id], result: 'accept' }],
    ] as const;
    for (const [name, input] of commands)
      for (const dry_run of [true, false]) {
        const { json } = await api.call(key, name, { ...input, dry_run });
        const { report } = json?.data as { report: { result: string; message: string }[] };
        expect([name, report.map(({ result }) => result)]).toEqual([name, ['not_found']]);
        expect(report[0]?.message).toMatch(/^There is no /);
      }
    expect(await everything()).toBe(before);
  });

  it('are not found by their ids', async () => {
    const key = await mine.sharedKey();
    for (const input of [{ phone: '5550009999' }, { status: 'NEW' }, { date_from: '2020-01-01' }]) {
      const { json } = await api.call(key, 'get_leads', input);
      expect(json?.data).toEqual({ leads: [], next_cursor: null });
    }
  });

  it('cannot be used together with an own record', async () => {
    const { campaign, buyer, supplier } = await setUp(api, mine);
    const lead = aLead({
      org_id: mine.id,
      campaign_id: campaign.id,
      supplier_id: supplier.id,
      plan_version:
        (await api.collections.campaigns.findOne({ _id: campaign.id }))?.plan_version ?? 0,
    });
    await api.collections.leads.insertOne(lead);
    const key = await mine.sharedKey();
    const explained = (buyer_id: unknown) =>
      api.call(key, 'explain_lead', { lead_id: lead._id, buyer_id });
    expect((await explained(buyer.id)).status).toBe(200);
    const [asked, absent] = [await explained(theirs.buyer_id), await explained(ABSENT)];
    expect([asked.status, asked.json?.error]).toEqual([400, 'record_not_found']);
    expect([absent.status, absent.json?.error]).toEqual([400, 'record_not_found']);
    const leads = (named: object) => api.call(key, 'get_leads', { ...named });
    for (const name of ['campaign_id', 'buyer_id', 'supplier_id'])
      expect((await leads({ [name]: theirs[name] })).status).toBe(400);
  });

  it('are in no list', async () => {
    const third = await api.org();
    // The list of a campaign's versions needs its id: it is tried above.
    const lists = REGISTRY.filter(({ paged, input }) => paged && input.safeParse({}).success);
    expect(lists.length).toBeGreaterThan(10);
    for (const { name } of lists) {
      // A third organization, which never sent these ids: the audit record of a caller contains its inputs.
      const { status, text } = await api.call(await third.sharedKey(), name);
      expect([name, status]).toEqual([name, 200]);
      for (const id of Object.values(theirs)) expect(text).not.toContain(id);
      expect(text).not.toContain('Theirs');
    }
  });
});
