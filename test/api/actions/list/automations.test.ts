/** Setting up automations. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { faultsOf, startActionsApi, type ActionsApi, type Org } from '../../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

type Automation = Record<string, unknown> & { id: string; secret: string | null };

const WEBHOOK = {
  trigger: 'lead.accepted',
  action: 'WEBHOOK',
  target: { url: 'https://crm.example/leads' },
};
const create = (org: Org, input: object = {}) =>
  api.done<Automation>(org, 'create_automation', { name: 'Tell', ...WEBHOOK, ...input });
const wantsOf = async ({ id }: Org) =>
  (await api.collections.eventWants.findOne({ _id: id }))?.types ?? [];

describe('create_automation', () => {
  it('shows the secret of a webhook once, and the values of its headers never', async () => {
    const org = await api.org();
    const made = await create(org, {
      target: { ...WEBHOOK.target, headers: { 'X-Key': 'k-1' } },
      conditions: [{ field: 'state', operator: '==', value: 'CA' }],
    });
    expect(made).toMatchObject({
      name: 'Tell',
      trigger: 'lead.accepted',
      status: 'active',
      campaign_id: null,
      target: { url: 'https://crm.example/leads', headers: { 'X-Key': '[hidden]' } },
      conditions: { all: [{ id: 'f1', field: 'state', operator: '==', value: 'CA' }] },
      disabled_reason: null,
      failing_since: null,
      previous_secret_until: null,
    });
    expect(made.secret).toMatch(/^[0-9a-f]{64}$/);
    const shown = await api.done<object>(org, 'get_automation', { automation_id: made.id });
    expect(shown).not.toHaveProperty('secret');
    const stored = JSON.stringify(await api.collections.automations.findOne({ _id: made.id }));
    expect(stored).not.toContain('k-1');
    expect(stored).not.toContain(made.secret);
  });

  it('hides the address of Slack, and accepts it back as it is shown', async () => {
    const org = await api.org();
    const url = 'https://hooks.slack.example/T0/B0/secret';
    const made = await create(org, { action: 'SLACK', target: { url } });
    expect(made).toMatchObject({ target: { url: '[hidden]' }, secret: null });
    const again = await api.done<Automation>(org, 'update_automation', {
      automation_id: made.id,
      name: 'Shout',
      target: { url: '[hidden]' },
    });
    expect(again).toMatchObject({ name: 'Shout', target: { url: '[hidden]' } });
    const stored = await api.collections.automations.findOne({ _id: made.id });
    expect(JSON.stringify(stored)).not.toContain('hooks.slack');
  });

  it('names the setting and the broken rule', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Automation>(org, 'create_campaign', { name: 'A' });
    const wrong = (input: object) =>
      faultsOf(api, org, 'create_automation', { name: 'Tell', ...WEBHOOK, ...input });
    expect(await wrong({ target: {} })).toEqual([
      422,
      'target.url must be the address that events are posted to.',
    ]);
    expect(await wrong({ target: { ...WEBHOOK.target, to: 'a@b.example' } })).toEqual([
      422,
      'target.to is not a setting of the action WEBHOOK. It has url, headers.',
    ]);
    expect(
      await wrong({ target: { ...WEBHOOK.target, headers: { 'webhook-id': 'mine' } } }),
    ).toEqual([422, 'target.headers: webhook-id is set by the service; leave it out.']);
    expect(await wrong({ action: 'EMAIL', target: { to: 'a@b.example' } })).toEqual([
      422,
      'target.to needs a mail server: set SMTP_URL and SMTP_FROM.',
    ]);
    expect(await wrong({ action: 'REDISTRIBUTE', target: { campaign_id } })).toEqual([
      422,
      expect.stringContaining('REDISTRIBUTE needs a trigger that leaves a lead without a buyer'),
    ]);
    expect(
      await wrong({
        action: 'REDISTRIBUTE',
        trigger: 'lead.unmatched',
        campaign_id,
        target: { campaign_id },
      }),
    ).toEqual([422, expect.stringContaining('must be another campaign')]);
    expect(
      await wrong({
        trigger: 'buyer.paused',
        conditions: [{ field: 'state', operator: 'IS EMPTY' }],
      }),
    ).toEqual([422, 'conditions need the fields of a lead; buyer.paused has no lead.']);
    expect(await wrong({ trigger: 'lead.acepted' })).toEqual([422, expect.any(String)]);
    expect(await api.collections.automations.countDocuments({ org_id: org.id })).toBe(0);
    await create(org);
    expect(await wrong({})).toEqual([422, 'Another automation is already named "Tell".']);
  });

  it('sends a lead to no campaign of another organization', async () => {
    const [org, other] = [await api.org(), await api.org()];
    const theirs = await api.done<Automation>(other, 'create_campaign', { name: 'Theirs' });
    const input = { name: 'Move', trigger: 'lead.unmatched', action: 'REDISTRIBUTE' };
    expect(
      await faultsOf(api, org, 'create_automation', {
        ...input,
        target: { campaign_id: theirs.id },
      }),
    ).toEqual([422, `target.campaign_id: there is no campaign ${theirs.id}.`]);
  });
});

describe('update_automation', () => {
  it('changes only the keys given, also within the target', async () => {
    const org = await api.org();
    const { id } = await create(org, { target: { ...WEBHOOK.target, headers: { A: '1' } } });
    const updated = await api.done<Automation>(org, 'update_automation', {
      automation_id: id,
      target: { url: 'https://crm.example/new' },
      status: 'paused',
    });
    expect(updated).toMatchObject({
      name: 'Tell',
      status: 'paused',
      secret: null,
      target: { url: 'https://crm.example/new', headers: { A: '[hidden]' } },
    });
  });

  it('creates a new secret, and keeps the previous one for the hours of the overlap', async () => {
    const org = await api.org();
    const made = await create(org);
    const began = Date.now();
    const rotated = await api.done<Automation>(org, 'update_automation', {
      automation_id: made.id,
      rotate_secret: true,
      overlap_hours: 2,
    });
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated.secret).not.toBe(made.secret);
    const until = Date.parse(String(rotated.previous_secret_until));
    expect(until).toBeGreaterThanOrEqual(began + 7_200_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 7_200_000);
    expect(
      await faultsOf(api, org, 'update_automation', { automation_id: made.id, overlap_hours: 2 }),
    ).toEqual([422, 'overlap_hours is only allowed with rotate_secret: true.']);
    expect(
      await faultsOf(api, org, 'update_automation', {
        automation_id: made.id,
        rotate_secret: true,
        overlap_hours: 169,
      }),
    ).toEqual([422, 'overlap_hours must be a whole number, 0 to 168.']);
  });

  it('loses none of the changes that are made at the same time', async () => {
    const org = await api.org();
    const { id } = await create(org, { target: { ...WEBHOOK.target, headers: { A: '1' } } });
    const { id: campaign_id } = await api.done<Automation>(org, 'create_campaign', { name: 'A' });
    const changes = [
      { name: 'Renamed' },
      { status: 'paused' },
      { trigger: 'lead.outcome' },
      { campaign_id },
      { target: { url: 'https://crm.example/new' } },
      { conditions: [{ field: 'state', operator: '==', value: 'CA' }] },
      { rotate_secret: true },
    ];
    await Promise.all(
      changes.map((change) => api.done(org, 'update_automation', { automation_id: id, ...change })),
    );
    expect(await api.done(org, 'get_automation', { automation_id: id })).toMatchObject({
      name: 'Renamed',
      status: 'paused',
      trigger: 'lead.outcome',
      campaign_id,
      target: { url: 'https://crm.example/new', headers: { A: '[hidden]' } },
      conditions: { all: [{ field: 'state' }] },
      previous_secret_until: expect.any(String),
    });
    expect(await wantsOf(org)).toEqual([]);
  });

  it('resets the failures of a disabled one when it is set active', async () => {
    const org = await api.org();
    const { id } = await create(org);
    const failed = { disabled_reason: 'gone', failing_since: new Date(), disabled_at: new Date() };
    await api.collections.automations.updateOne(
      { _id: id },
      { $set: { status: 'disabled', ...failed } },
    );
    const disabled = await api.done(org, 'get_automation', { automation_id: id });
    expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    const input = { automation_id: id, status: 'active' };
    expect(await api.done(org, 'update_automation', input)).toMatchObject({
      status: 'active',
      disabled_reason: null,
      failing_since: null,
    });
  });

  it('does not find an automation of another organization', async () => {
    const [org, other] = [await api.org(), await api.org()];
    const { id } = await create(other);
    const reply = await api.call(await org.sharedKey(), 'update_automation', { automation_id: id });
    expect([reply.status, reply.json?.error]).toEqual([400, 'record_not_found']);
  });
});

describe('the subscriptions of an organization', () => {
  it('are the triggers of its active automations, however many are changed at once', async () => {
    const org = await api.org();
    const triggers = ['lead.accepted', 'lead.outcome', 'lead.returned', 'lead.created'];
    const made = await Promise.all(
      triggers.map((trigger, n) => create(org, { name: `A ${String(n)}`, trigger })),
    );
    expect(await wantsOf(org)).toEqual([...triggers].sort());
    await Promise.all([
      ...made
        .slice(0, 2)
        .map(({ id }) =>
          api.done(org, 'update_automation', { automation_id: id, status: 'paused' }),
        ),
      create(org, { name: 'B', trigger: 'lead.expired' }),
      api.done(org, 'update_automation', { automation_id: made[3]?.id, trigger: 'lead.rejected' }),
    ]);
    expect(await wantsOf(org)).toEqual(['lead.expired', 'lead.rejected', 'lead.returned']);
  });

  it('are all events for an hour after a client listens', async () => {
    const org = await api.org();
    const began = Date.now();
    const listening = await api.done<{ since: string; until: string }>(org, 'listen_events');
    expect(Date.parse(listening.since)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(listening.until) - Date.parse(listening.since)).toBe(3_600_000);
    const wants = await api.collections.eventWants.findOne({ _id: org.id });
    expect(wants?.listening_until?.toISOString()).toBe(listening.until);
  });
});

describe('get_campaign', () => {
  it('shows the automations of the campaign, and those of every campaign', async () => {
    const org = await api.org();
    const [{ id: campaign_id }, other] = [
      await api.done<Automation>(org, 'create_campaign', { name: 'A' }),
      await api.done<Automation>(org, 'create_campaign', { name: 'B' }),
    ];
    await create(org, { name: 'Of all' });
    await create(org, { name: 'Its own', campaign_id, status: 'paused' });
    await create(org, { name: 'Of another', campaign_id: other.id });
    const shown = { trigger: 'lead.accepted', action: 'WEBHOOK' };
    expect(await api.done(org, 'get_campaign', { campaign_id })).toMatchObject({
      automations: [
        { name: 'Of all', status: 'active', ...shown },
        { name: 'Its own', status: 'paused', ...shown },
      ],
    });
  });
});

describe('list_automations', () => {
  it("returns the organization's own, oldest first, in pages", async () => {
    const [org, other] = [await api.org(), await api.org()];
    await create(other);
    for (const name of ['1', '2', '3']) await create(org, { name });
    const key = await org.sharedKey();
    const first = await api.call(key, 'list_automations', { limit: 2 });
    const cursor = first.json?.next_cursor;
    const second = await api.call(key, 'list_automations', { limit: 2, cursor });
    const names = (reply: typeof first) =>
      (reply.json?.data as Automation[]).map(({ name }) => name);
    expect([names(first), names(second), second.json?.next_cursor]).toEqual([
      ['1', '2'],
      ['3'],
      null,
    ]);
  });
});
