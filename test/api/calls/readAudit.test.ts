/** Every read of personal data is recorded with its caller, before the data is shown. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import { createActionService } from '../../../src/api/actions/service.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import type { Collections } from '../../../src/app/database.js';
import { aLead, NOW } from '../../support/storedRows.js';
import { toolCall, postMcp } from '../mcp/post.js';
import { actionDeps, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

interface Entry {
  action: string;
  input: Record<string, unknown>;
  outcome: string;
}

let api: ActionsApi;
let org: Org;
let leadId: string;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
  const lead = aLead({ org_id: org.id, created_at: new Date() });
  leadId = lead._id;
  await api.collections.leads.insertOne(lead);
});
afterAll(() => api.stop());

const entries = (of?: 'changes' | 'reads', action?: string) =>
  api.done<Entry[]>(org, 'list_audit', {
    ...(of === undefined ? {} : { of }),
    ...(action === undefined ? {} : { action }),
  });

describe('a read of leads', () => {
  it('is recorded with the key and what was asked for, without the person searched for', async () => {
    const key = await org.sharedKey();
    await api.call(key, 'get_leads', { phone: '4155550177', limit: 3 });
    await api.call(key, 'get_leads', { email: 'jane@example.com' });
    await api.call(key, 'get_leads', { click_id: 'click-of-jane' });
    await postMcp(api.url, key, toolCall('get_lead', { lead_id: leadId }));
    await api.call(key, 'get_lead_distribution_trail', { lead_id: leadId });
    const reads = await entries('reads');
    expect(reads).toMatchObject([
      { action: 'get_lead_distribution_trail', input: { lead_id: leadId }, outcome: 'done' },
      { action: 'get_lead', input: { lead_id: leadId }, outcome: 'done' },
      { action: 'get_leads', input: { click_id: '[hidden]' } },
      { action: 'get_leads', input: { email: '[hidden]' } },
      { action: 'get_leads', input: { phone: '[hidden]', limit: 3 } },
    ]);
    expect(JSON.stringify(await api.collections.auditReads.find().toArray())).not.toMatch(
      /4155550177|jane@example|click-of-jane/,
    );
    expect(await entries('reads', 'get_lead')).toHaveLength(1);
  });

  it('is recorded where an event shows the whole lead', async () => {
    const other = await api.org();
    const fields = { first_name: 'Jane', phone: '+14155550177' };
    const lead = aLead({ org_id: other.id, status: 'UNMATCHED', fields });
    await api.collections.leads.insertOne(lead);
    const { _id: lead_id, campaign_id, supplier_id, is_test } = lead;
    const facts = { status: 'UNMATCHED' as const, outcome: null, buyer_id: null };
    const money = { price: 0, revenue: 0, cost: 0 };
    await api.collections.events.insertOne({
      _id: `evt_${lead_id}_1`,
      org_id: other.id,
      type: 'lead.unmatched',
      created_at: NOW,
      recorded_at: NOW,
      data: { lead_id, n: 1, campaign_id, supplier_id, is_test, ...facts, ...money },
    });
    expect(await api.done(other, 'list_events', { lead_id })).toMatchObject([{ data: { fields } }]);
    expect(await api.done(other, 'list_audit', { of: 'reads' })).toMatchObject([
      { action: 'list_events', input: { lead_id }, outcome: 'done' },
    ]);
  });

  it('is not listed among the changes, which are the default', async () => {
    await api.call(await org.sharedKey(), 'get_leads');
    await api.done(org, 'create_buyer', { name: 'Changed' });
    const changes = await entries();
    expect(changes.map(({ action }) => action)).toEqual(['create_buyer']);
    expect(await entries('changes')).toEqual(changes);
  });

  it('is not recorded when nothing was shown', async () => {
    const before = await api.collections.auditReads.countDocuments();
    const key = await org.sharedKey(['buyers:read']);
    expect((await api.call(key, 'get_leads')).status).toBe(403);
    expect((await api.call(await org.sharedKey(), 'get_lead', { lead_id: 'none' })).status).toBe(
      400,
    );
    await api.call(await org.sharedKey(), 'list_buyers');
    expect(await api.collections.auditReads.countDocuments()).toBe(before);
  });

  it('is refused when it cannot be recorded', async () => {
    const lost = () => Promise.reject(new MongoNetworkError('connection lost'));
    const auditReads = new Proxy(api.collections.auditReads, {
      get: (target, key): unknown =>
        key === 'insertMany' ? lost : Reflect.get(target, key, target),
    });
    const collections: Collections = { ...api.collections, auditReads };
    const actions = createActionService(actionDeps(collections));
    const body = () => Promise.resolve({ lead_id: leadId });
    const key = `Bearer ${await org.sharedKey()}`;
    await expect(
      actions.run(key, { name: 'get_lead', body, witness: NO_WITNESS }),
    ).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  it('that run at the same time are recorded by fewer commands than there are', async () => {
    let commands = 0;
    const auditReads = new Proxy(api.collections.auditReads, {
      get(target, key): unknown {
        if (key === 'insertMany') commands += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const actions = createActionService(actionDeps({ ...api.collections, auditReads }));
    const key = `Bearer ${await org.sharedKey()}`;
    const body = () => Promise.resolve({ lead_id: leadId });
    await Promise.all(
      Array.from({ length: 60 }, () =>
        actions.run(key, { name: 'get_lead', body, witness: NO_WITNESS }),
      ),
    );
    expect(commands).toBeLessThan(40);
  });

  it('is recorded for every action that shows data of people', () => {
    const recorded = REGISTRY.filter(({ letsOut }) =>
      letsOut.some(({ out }) => out === 'people'),
    ).map(({ name }) => name);
    expect(recorded).toEqual([
      'preview_routing',
      'test_delivery',
      'search',
      'get_leads',
      'export_leads',
      'get_lead',
      'get_lead_distribution_trail',
      'explain_lead',
      'get_consent_record',
      'get_ping',
      'list_deliveries',
      'get_delivery',
      'list_returns',
      'list_events',
      'get_portal_members',
      'list_members',
      'list_sessions',
      'get_lead_breakdown',
    ]);
  });
});
