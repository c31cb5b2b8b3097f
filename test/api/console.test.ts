/** The actions that people of an organization may run, by the role of their membership. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionName } from '../../src/api/actions/names.js';
import { isAboutPeople } from '../../src/api/actions/exits.js';
import { REGISTRY } from '../../src/api/actions/registry.js';
import type { OrgRole } from '../../src/people/types.js';
import { TEST_ZONE } from '../support/org.js';
import { aLead, aRow } from '../support/storedRows.js';
import { openPortal, signInMember, type SignedInMember } from '../support/portal.js';
import { startConsole, type ConsoleServer } from './consoleServer.js';

type Who = Pick<SignedInMember, 'cookie' | 'membership_id'>;

interface Told {
  status: number;
  headers: Headers;
  json: { data?: unknown; error?: string; required?: string; message?: string } & Record<
    string,
    unknown
  >;
}

const ORGANIZATION = { kind: 'organization' } as const;

describe('the actions for people', () => {
  let database: ConsoleServer['database'];
  let server: ConsoleServer['server'];
  let org_id: string;
  beforeAll(async () => {
    ({ database, server, org_id } = await startConsole({ name: 'Org' }));
  });
  afterAll(async () => {
    await server.close(0);
    await database.drop();
  });

  const member = (role: OrgRole, more: object = {}) =>
    signInMember(database.collections, { org_id, scope: ORGANIZATION, role, ...more });

  const ask = async (who: Who, path: string, init: RequestInit = {}): Promise<Told> => {
    const answer = await fetch(`${server.url}/console/api/${who.membership_id}/${path}`, {
      ...init,
      headers: {
        cookie: who.cookie,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    const json = (await answer.json()) as Told['json'];
    return { status: answer.status, headers: answer.headers, json };
  };
  const run = (who: Who, action: ActionName, input: object = {}, init: RequestInit = {}) =>
    ask(who, `actions/${action}`, { method: 'POST', body: JSON.stringify(input), ...init });

  it('return the signed-in person, and the actions that the role may run', async () => {
    const { status, json } = await ask(await member('analyst', { name: 'Ana' }), 'me');
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      person: { name: 'Ana' },
      membership: { side: 'organization', role: 'analyst' },
      organization: { name: 'Org', time_zone: TEST_ZONE, currency: 'USD' },
      party: null,
      settings: null,
    });
    const { calls } = json.data as { calls: string[] };
    expect(calls).toContain('get_leads');
    expect(calls).not.toContain('list_members');
    expect(calls).not.toContain('create_buyer');
  });

  it.each([
    ['admin', REGISTRY.length],
    ['operator', REGISTRY.filter(({ permission }) => !permission.startsWith('settings:')).length],
    [
      'analyst',
      REGISTRY.filter(({ permission: one }) => /:read$/.test(one) && !/^settings/.test(one)).length,
    ],
    [
      'viewer',
      REGISTRY.filter(
        (action) =>
          /:read$/.test(action.permission) &&
          !action.permission.startsWith('settings') &&
          !isAboutPeople(action),
      ).length,
    ],
  ] as const)('offer an %s exactly the actions of its role', async (role, count) => {
    const who = await member(role);
    const { calls } = (await ask(who, 'me')).json.data as { calls: ActionName[] };
    expect(calls).toHaveLength(count);
    // Actions that are not offered are refused too, before their input is checked.
    for (const { name } of REGISTRY.filter((one) => !calls.includes(one.name)))
      expect([name, (await run(who, name)).status]).toEqual([name, 403]);
  });

  it('refuse personal data to a viewer, and name the permission', async () => {
    const viewer = await member('viewer');
    const refusal = async (action: ActionName, input: object = {}) => {
      const { status, json } = await run(viewer, action, input);
      return [status, json.error, json.required];
    };
    const refused = [403, 'forbidden', 'personal_data'];
    expect(await refusal('export_leads')).toEqual(refused);
    // Whether a person is known is told by asking for that person.
    expect(await refusal('get_leads', { phone: '+14155550134' })).toEqual(refused);
    expect(await refusal('get_leads', { search: 'Jane Doe' })).toEqual(refused);
  });

  it('show a viewer leads without what says who the person is', async () => {
    const fields = { first_name: 'Secretname', phone: '+14155550134', zip_code: '73301' };
    const lead = aLead({ org_id, fields, status: 'UNMATCHED' });
    await database.collections.leads.insertOne(lead);
    const { status, json } = await run(await member('viewer'), 'get_leads');
    expect([status, json.data]).toMatchObject([
      200,
      { leads: [{ id: lead._id, status: 'UNMATCHED', name: null, phone: null, zip_code: null }] },
    ]);
    expect(JSON.stringify(json)).not.toMatch(/Secretname|4155550134|73301/);
  });

  it('show a viewer returns without the notes that people wrote, and no list of people', async () => {
    await database.collections.returns.insertOne({
      _id: 'lead-1:buyer-1:1',
      org_id,
      lead_id: 'lead-1',
      campaign_id: 'campaign-1',
      buyer_id: 'buyer-1',
      reason: 'bad_contact_info',
      note: 'Jane Doe says no',
      state: 'rejected',
      created_at: new Date(),
      requested_by: { kind: 'buyer', id: 'buyer-1' },
      resolution_note: 'Jane did answer',
    } as never);
    const listed = async (role: OrgRole) => {
      const { status, json } = await run(await member(role), 'list_returns');
      const [one] = json.data as { note: unknown; resolution_note: unknown; reason: string }[];
      return [status, one?.reason, one?.note, one?.resolution_note];
    };
    const reads = () => database.collections.auditReads.countDocuments({ action: 'list_returns' });
    expect(await listed('viewer')).toEqual([200, 'bad_contact_info', null, null]);
    expect(await reads()).toBe(0);
    const shown = ['Jane Doe says no', 'Jane did answer'];
    expect(await listed('analyst')).toEqual([200, 'bad_contact_info', ...shown]);
    expect(await reads()).toBe(1);
    const { status, json } = await run(await member('viewer'), 'get_portal_members');
    expect([status, json.error, json.required]).toEqual([403, 'forbidden', 'personal_data']);
  });

  it('show a viewer what waits and what is returned without the names of people', async () => {
    const { leads, deliveries, returns } = database.collections;
    const lead = aLead({ org_id, fields: { first_name: 'Zelda', last_name: 'Quill' } });
    const row = aRow({ lead_id: lead._id, org_id, state: 'parked', due_at: new Date() });
    await leads.insertOne(lead);
    await deliveries.insertOne(row);
    await returns.insertOne({
      _id: `${lead._id}:buyer-1:1`,
      org_id,
      lead_id: lead._id,
      campaign_id: 'campaign-1',
      buyer_id: 'buyer-1',
      reason: 'other',
      note: null,
      state: 'requested',
      lead_day: '2026-11-20',
      created_at: new Date(),
      requested_by: { kind: 'buyer', id: 'buyer-1' },
    });
    const [viewer, analyst] = [await member('viewer'), await member('analyst')];
    for (const [action, input] of [
      ['list_deliveries', { buyer_id: row.buyer_id }],
      ['get_delivery', { delivery_id: row._id }],
      ['list_returns', { state: 'requested' }],
    ] as const) {
      const seen = await run(analyst, action, input);
      expect([action, JSON.stringify(seen.json)]).toEqual([
        action,
        expect.stringContaining('Zelda Quill'),
      ]);
      const hidden = await run(viewer, action, input);
      expect([action, hidden.status]).toEqual([action, 200]);
      expect(JSON.stringify(hidden.json)).not.toMatch(/Zelda|Quill/);
    }
  });

  it('are recorded in the name of the person, versions of campaigns too', async () => {
    const who = await member('operator', { name: 'Olga' });
    const made = await run(who, 'create_campaign', { name: 'By a person' });
    const { id } = made.json.data as { id: string };
    const person = { id: who.person_id, name: 'Olga' };
    const admin = await member('admin');
    const { json } = await run(admin, 'list_audit', { action: 'create_campaign' });
    expect(json.data).toMatchObject([{ key: null, person, party: null, outcome: 'done' }]);
    const history = await run(admin, 'get_plan_history', { campaign_id: id });
    expect(history.json.data).toMatchObject({ versions: [{ by: { kind: 'person', ...person } }] });
    await run(await member('analyst', { name: 'Rea' }), 'get_leads');
    const reads = await run(admin, 'list_audit', { of: 'reads', action: 'get_leads' });
    expect(reads.json.data).toMatchObject([{ action: 'get_leads', person: { name: 'Rea' } }]);
  });

  it('read audit entries of keys from before people existed', async () => {
    const entry = { _id: 'old', org_id, at: new Date(0), action: 'update_buyer', input: {} };
    await database.collections.audit.insertOne({
      ...entry,
      key_id: 'key-1',
      key_name: 'Old key',
      outcome: 'done',
    });
    const { json } = await run(await member('admin'), 'list_audit', { action: 'update_buyer' });
    expect(json.data).toMatchObject([{ key: { id: 'key-1', name: 'Old key' }, person: null }]);
  });

  it.each(['invite_member', 'create_api_key', 'add_portal_member'] as const)(
    'need a recent sign-in for %s',
    async (action) => {
      const who = await member('admin', { isStale: true });
      const example = REGISTRY.find(({ name }) => name === action)?.example ?? {};
      const { status, json } = await run(who, action, example);
      expect([status, json.error, json.required]).toEqual([403, 'forbidden', 'fresh_sign_in']);
      expect((await run(who, 'list_members')).status).toBe(200);
    },
  );

  it("return the same 404 for every membership that is not the person's in the organization", async () => {
    const who = await member('admin');
    const stranger = await member('admin');
    const party = { org_id, side: 'buyer', party_id: 'buyer-1' } as const;
    await database.collections.buyers.insertOne({ _id: 'buyer-1', org_id, name: 'B' } as never);
    const partner = await openPortal(database.collections, party);
    const tries: Who[] = [
      { ...who, membership_id: stranger.membership_id },
      { ...who, membership_id: partner.membership_id },
      { ...who, membership_id: 'mem_none' },
      partner,
    ];
    const bodies = new Set<string>();
    for (const one of tries)
      for (const { status, json } of [await ask(one, 'me'), await run(one, 'list_campaigns')]) {
        expect(status).toBe(404);
        bodies.add(`${json.error} ${json.message}`);
      }
    expect(bodies.size).toBe(1);
  });

  it('end at the next request of a member who is removed', async () => {
    const who = await member('operator');
    expect((await run(who, 'list_campaigns')).status).toBe(200);
    const removed = await run(await member('admin'), 'remove_member', {
      member_id: who.membership_id,
    });
    expect(removed.status).toBe(200);
    expect((await run(who, 'list_campaigns')).status).toBe(404);
  });

  it('are refused without a session, and from a page of another site', async () => {
    const who = await member('admin');
    expect((await run({ ...who, cookie: '' }, 'list_campaigns')).status).toBe(401);
    const from = (site: string) =>
      run(who, 'list_campaigns', {}, { headers: { 'sec-fetch-site': site } });
    expect((await from('cross-site')).status).toBe(403);
    expect((await from('same-site')).status).toBe(403);
    expect((await from('same-origin')).status).toBe(200);
  });

  it('ignore cookies on the paths of programs', async () => {
    const who = await member('admin');
    const answer = await fetch(`${server.url}/api/v1/actions/list_campaigns`, {
      method: 'POST',
      headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status).toBe(401);
  });

  it('are limited to 600 a minute per session', async () => {
    const who = await member('admin');
    const calls = Array.from({ length: 599 }, () => new Date());
    const uses = { all: calls.length, writes: 0 };
    const window = { all: calls, writes: [], uses, oldest: {}, allowed: true, at: new Date() };
    await database.collections.windows.insertOne({ _id: `portal:${who.session_id}`, ...window });
    expect((await run(who, 'list_campaigns')).status).toBe(200);
    const { status, headers } = await run(who, 'list_campaigns');
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await run(await member('admin'), 'list_campaigns')).status).toBe(200);
  });
});
