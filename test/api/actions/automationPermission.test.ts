/** An automation sends lead data only if the key that set it up may read leads. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../../src/api/actions/names.js';
import type { Permission } from '../../../src/account/store/keyDocs.js';
import { send } from '../../support/http.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi({ policy: { allowPrivate: true, mail: true } });
});
afterAll(() => api.stop());

const CAMPAIGNS: Permission[] = ['campaigns:write'];
const BOTH: Permission[] = ['campaigns:write', 'leads:read'];
const WEBHOOK = { action: 'WEBHOOK', target: { url: 'https://crm.example/leads' } };
const OF_LEADS = { name: 'Tell', trigger: 'lead.accepted', ...WEBHOOK };
const OF_BUYERS = { name: 'Warn', trigger: 'buyer.paused', ...WEBHOOK };

const by = async (org: Org, permissions: Permission[], action: ActionName, input: object) =>
  api.call(await org.sharedKey(permissions), action, input);

const REFUSED = {
  status: 403,
  json: { success: false, error: 'forbidden', required: 'leads:read' },
};

describe('create_automation', () => {
  it.each([
    ['a webhook', {}],
    ['a mail', { action: 'EMAIL', target: { to: 'a@b.example' } }],
    ['a line in Slack', { action: 'SLACK', target: { url: 'https://hooks.example/a' } }],
    ['a paused one', { status: 'paused' }],
  ])('needs leads:read to send data of leads: %s', async (_, input) => {
    const org = await api.org();
    const refused = await by(org, CAMPAIGNS, 'create_automation', { ...OF_LEADS, ...input });
    expect(refused).toMatchObject(REFUSED);
    expect(await api.collections.automations.countDocuments({ org_id: org.id })).toBe(0);
    const made = await by(org, BOTH, 'create_automation', { ...OF_LEADS, ...input });
    expect(made.status).toBe(200);
  });

  it('needs only campaigns:write when no data of leads is sent', async () => {
    const org = await api.org();
    expect((await by(org, CAMPAIGNS, 'create_automation', OF_BUYERS)).status).toBe(200);
    const { id } = await api.done<{ id: string }>(org, 'create_campaign', { name: 'Other' });
    const elsewhere = { action: 'REDISTRIBUTE', target: { campaign_id: id } };
    const again = { name: 'Again', trigger: 'lead.unmatched', ...elsewhere };
    expect((await by(org, CAMPAIGNS, 'create_automation', again)).status).toBe(200);
  });
});

describe('update_automation', () => {
  const made = (org: Org, input: object) =>
    api.done<{ id: string }>(org, 'create_automation', input);

  it.each([
    ['another target', { target: { url: 'https://elsewhere.example/' } }],
    ['other conditions', { conditions: [{ field: 'state', operator: '==', value: 'CA' }] }],
    ['another trigger', { trigger: 'buyer.paused' }],
    ['every campaign', { campaign_id: null }],
    ['setting it active', { status: 'active' }],
  ])('needs leads:read for one that sends data of leads: %s', async (_, change) => {
    const org = await api.org();
    const { id: automation_id } = await made(org, OF_LEADS);
    const before = await api.collections.automations.findOne({ _id: automation_id });
    const input = { automation_id, ...change };
    expect(await by(org, CAMPAIGNS, 'update_automation', input)).toMatchObject(REFUSED);
    expect(await api.collections.automations.findOne({ _id: automation_id })).toEqual(before);
    expect((await by(org, BOTH, 'update_automation', input)).status).toBe(200);
  });

  it('needs leads:read for one that will send data of leads from now on', async () => {
    const org = await api.org();
    const { id: automation_id } = await made(org, OF_BUYERS);
    const input = { automation_id, trigger: 'lead.created' };
    expect(await by(org, CAMPAIGNS, 'update_automation', input)).toMatchObject(REFUSED);
  });

  it('needs leads:read for another target while events of leads still wait to be sent', async () => {
    const org = await api.org();
    const { id: automation_id } = await made(org, OF_BUYERS);
    const now = new Date();
    const delivery = {
      _id: `${automation_id}:evt_1`,
      org_id: org.id,
      automation_id,
      event_id: 'evt_1',
      type: 'lead.accepted' as const,
      lead_id: 'some-lead',
      ord: 1,
      attempts: 0,
      state: 'waiting' as const,
      due_at: now,
      give_up_at: now,
      created_at: now,
    };
    await api.collections.eventDeliveries.insertOne(delivery);
    const input = { automation_id, target: { url: 'https://elsewhere.example/' } };
    expect(await by(org, CAMPAIGNS, 'update_automation', input)).toMatchObject(REFUSED);
    await api.collections.eventDeliveries.deleteOne({ _id: delivery._id });
    expect((await by(org, CAMPAIGNS, 'update_automation', input)).status).toBe(200);
  });

  it.each([{ name: 'Renamed' }, { status: 'paused' }, { rotate_secret: true }])(
    'needs only campaigns:write for %o',
    async (change) => {
      const org = await api.org();
      const { id: automation_id } = await made(org, OF_LEADS);
      const done = await by(org, CAMPAIGNS, 'update_automation', { automation_id, ...change });
      expect(done.status).toBe(200);
    },
  );
});

describe('the catalog', () => {
  it('says which calls need a further permission, as does every description', async () => {
    const org = await api.org();
    const headers = { authorization: `Bearer ${await org.sharedKey()}` };
    const { json } = await send(`${api.url}/api/v1/actions`, { headers });
    const { actions } = json?.data as { actions: Record<string, unknown>[] };
    const needsLeads = ({ name, also_needs }: Record<string, unknown>) =>
      String(name).endsWith('_automation') &&
      (also_needs as { permission: string } | null)?.permission === 'leads:read';
    const needing = actions.filter(needsLeads);
    expect(needing.map(({ name }) => name)).toEqual(['create_automation', 'update_automation']);
    for (const { also_needs, description } of needing) {
      expect(also_needs).toMatchObject({ permission: 'leads:read' });
      expect(description).toContain(
        'Also needs the permission leads:read where the automation sends data of leads',
      );
    }
  });
});
