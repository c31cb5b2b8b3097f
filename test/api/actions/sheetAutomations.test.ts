/** Setting up automations that write to a sheet, and automations without a given name. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { faultsOf, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi({ policy: { allowPrivate: true, sheets: true } });
});
afterAll(() => api.stop());

type Automation = Record<string, unknown> & { id: string; name: string; target: Target };
interface Target {
  spreadsheet_id: string;
  sheet: string | null;
  columns: string[];
}

let spreadsheet = '';
let sheet: { trigger: string; action: string; target: object };
/** A spreadsheet belongs to one organization. */
beforeEach(() => {
  spreadsheet = `1AbC_${randomUUID()}`;
  sheet = {
    trigger: 'lead.accepted',
    action: 'GOOGLE_SHEET',
    target: { spreadsheet_id: spreadsheet },
  };
});
const create = (org: Org, input: object = {}) =>
  api.done<Automation>(org, 'create_automation', { ...sheet, ...input });

describe('create_automation with a sheet', () => {
  it('has all columns of the event and the mapping by default', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Automation>(org, 'create_campaign', { name: 'A' });
    await api.done(org, 'add_campaign_fields', {
      campaign_id,
      fields: [{ name: 'hobby', type: 'String' }],
    });
    const { target } = await create(org, { campaign_id });
    expect(target).toMatchObject({ spreadsheet_id: spreadsheet, sheet: null });
    expect(target.columns.slice(0, 4)).toEqual(['event_id', 'event_type', 'event_at', 'lead_id']);
    expect(target.columns).toContain('profit');
    expect(target.columns.at(-1)).toBe('hobby');
  });

  it('can be paused and renamed when a column or the service account is missing', async () => {
    const org = await api.org();
    const { id: campaign_id } = await api.done<Automation>(org, 'create_campaign', { name: 'A' });
    const hobby = [{ name: 'hobby', type: 'String' }];
    await api.done(org, 'update_field_mapping', { campaign_id, fields: hobby });
    const conditions = { field: 'hobby', operator: '==', value: 'chess' };
    const { id: automation_id, target } = await create(org, { campaign_id, conditions });
    expect(target.columns).toContain('hobby');
    await api.done(org, 'update_field_mapping', { campaign_id, fields: [] });
    const changes = { name: 'Old', status: 'paused' };
    const saved = await api.done(org, 'update_automation', { automation_id, ...changes });
    expect(saved).toMatchObject({ ...changes, target });
    // The conditions are still checked as soon as they are changed.
    const fault = await faultsOf(api, org, 'update_automation', { automation_id, conditions });
    expect(fault[0]).toBe(422);
  });

  it('accepts the URL of the spreadsheet, a tab and columns', async () => {
    const org = await api.org();
    const spreadsheet_id = `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit?gid=0#gid=0`;
    const target = { spreadsheet_id, sheet: 'Sold', columns: ['lead_id', 'price', 'extra.utm'] };
    expect((await create(org, { target })).target).toEqual({
      ...target,
      spreadsheet_id: spreadsheet,
    });
  });

  it.each([
    [{}, 'target.spreadsheet_id must be the address of the sheet, or the part of it between'],
    [{ spreadsheet_id: 'https://elsewhere.example/d/1' }, 'target.spreadsheet_id must be the'],
    [
      { spreadsheet_id: 'a-spreadsheet', columns: ['lead_idd'] },
      'target.columns names "lead_idd", which lead.accepted does not have. Did you mean lead_id?',
    ],
    [
      { spreadsheet_id: 'a-spreadsheet', url: 'https://a.example' },
      'target.url is not a setting of the action GOOGLE_SHEET.',
    ],
  ])('reports what is wrong with %j', async (target, message) => {
    const fault = await faultsOf(api, await api.org(), 'create_automation', { ...sheet, target });
    expect(fault).toEqual([422, expect.stringContaining(message)]);
  });

  it('is refused where this installation has no service account', async () => {
    const bare = await startActionsApi();
    expect(await faultsOf(bare, await bare.org(), 'create_automation', sheet)).toEqual([
      422,
      'target.spreadsheet_id needs a service account: set GOOGLE_SERVICE_ACCOUNT_FILE.',
    ]);
    await bare.stop();
  });

  it('gets the columns of a new trigger, and keeps them otherwise', async () => {
    const org = await api.org();
    const columns = ['lead_id', 'price'];
    const made = await create(org, { target: { ...sheet.target, columns } });
    const change = (input: object) =>
      api.done<Automation>(org, 'update_automation', { automation_id: made.id, ...input });
    expect((await change({ target: { sheet: 'Sold' } })).target).toEqual({
      spreadsheet_id: spreadsheet,
      sheet: 'Sold',
      columns,
    });
    expect((await change({ trigger: 'buyer.paused' })).target).toEqual({
      spreadsheet_id: spreadsheet,
      sheet: 'Sold',
      columns: ['event_id', 'event_type', 'event_at', 'buyer_id', 'until', 'failures', 'reason'],
    });
  });
});

describe('an automation without a name', () => {
  it('gets a unique name, however many are created at once, and can be renamed later', async () => {
    const org = await api.org();
    const made = await Promise.all(Array.from({ length: 8 }, () => create(org)));
    for (const { id, name } of made)
      expect(name).toBe(`lead.accepted GOOGLE_SHEET ${id.slice(0, 8)}`);
    const listed = await api.done<Automation[]>(org, 'list_automations');
    expect(listed.map(({ name }) => name).toSorted()).toEqual(
      made.map(({ name }) => name).toSorted(),
    );
    const [first] = made;
    const named = { automation_id: first?.id, name: 'Sold' };
    expect(await api.done(org, 'update_automation', named)).toMatchObject({ name: 'Sold' });
    expect((await create(org, { name: null })).name).toMatch(/^lead\.accepted GOOGLE_SHEET /);
    expect(await faultsOf(api, org, 'create_automation', { ...sheet, name: 'Sold' })).toEqual([
      422,
      'Another automation is already named "Sold".',
    ]);
  });
});
