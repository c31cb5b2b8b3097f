/** Everything that lets people's data or leads out: who may, with which sign-in, and which record of it is kept. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { needsFresh, usedExits, type Exit } from '../../../src/api/actions/exits.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { PARTNER_CALLS, PARTNER_FILES } from '../../../src/api/partner/registry.js';
import type { OrgRole } from '../../../src/people/types.js';
import { send } from '../../support/http.js';
import { signInMember, type SignedInMember } from '../../support/portal.js';
import { startConsole, type ConsoleServer } from '../consoleServer.js';
import { accountOf } from '../../support/org.js';

/** Inputs that use the exit of an action, where its example does not. */
const USING: Partial<Record<ActionName, object[]>> = {
  create_buyer: [{ name: 'Thief', delivery: { url: 'https://thief.example/' } }],
  add_buyer_to_campaign: [{ delivery: { url: 'https://thief.example/' } }],
  update_campaign_buyer: [{ delivery: { url: 'https://thief.example/' } }],
  get_supplier: [{ reveal_key: true }],
  get_campaign_api_spec: [{ reveal_key: true }],
  update_automation: [
    { target: { url: 'https://thief.example/' } },
    { trigger: 'lead.accepted' },
    { campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11' },
    { conditions: [] },
    { rotate_secret: true },
  ],
  configure_portal_settings: [
    { fields: ['phone'] },
    { exports: true },
    { show_buyer_names: true },
    { show_prices: true },
  ],
};

/** Inputs that do not use it: a person is not asked to confirm for them. */
const NOT_USING: Partial<Record<ActionName, object>> = {
  create_buyer: { name: 'Plain' },
  add_buyer_to_campaign: { price: 3 },
  update_campaign_buyer: { price: 3 },
  get_supplier: {},
  get_campaign_api_spec: {},
  update_automation: { status: 'paused', name: 'Renamed' },
  configure_portal_settings: { fields: undefined, display_name: 'Leads', returns: true },
};

const inputsOf = ({ name, example }: (typeof REGISTRY)[number]): object[] =>
  (USING[name] ?? [{}]).map((more) => ({ ...example, ...more }));

const told = (exits: readonly Exit[]): string => [...new Set(exits.map(({ out }) => out))].join();

const rowOf = (action: (typeof REGISTRY)[number]): string => {
  const exits = inputsOf(action).flatMap((input) => usedExits(action, input));
  const rights = exits.flatMap(({ needs }) => needs?.permission ?? []);
  const who = [action.permission, ...new Set(rights)].join(' + ');
  const isFresh = needsFresh(exits);
  const record = action.effect === 'read' && !isFresh ? 'read' : 'change';
  return `${action.name}: ${told(exits)}; ${who}; ${isFresh ? 'fresh' : 'any'} sign-in; ${record}`;
};

describe('what lets data or leads out', () => {
  it('is declared by each action, with who may, the sign-in and the record', () => {
    for (const action of REGISTRY.filter(({ letsOut }) => letsOut.length > 0))
      for (const input of inputsOf(action))
        expect([action.name, usedExits(action, input).length > 0]).toEqual([action.name, true]);
    expect(REGISTRY.filter(({ letsOut }) => letsOut.length > 0).map(rowOf)).toEqual([
      'revert_plan: address; campaigns:write; fresh sign-in; change',
      'get_campaign_api_spec: access; campaigns:read + suppliers:write; fresh sign-in; change',
      'create_buyer: address; buyers:write; fresh sign-in; change',
      'set_buyer_delivery: address; buyers:write; fresh sign-in; change',
      'set_buyer_ping: address; buyers:write; fresh sign-in; change',
      'rotate_buyer_secret: access; buyers:write; fresh sign-in; change',
      'add_buyer_to_campaign: address; campaigns:write + buyers:write; fresh sign-in; change',
      'update_campaign_buyer: address; campaigns:write + buyers:write; fresh sign-in; change',
      'get_supplier: access; suppliers:read + suppliers:write; fresh sign-in; change',
      'rotate_supplier_key: access; suppliers:write; fresh sign-in; change',
      'get_leads: people; leads:read; any sign-in; read',
      'get_lead: people; leads:read; any sign-in; read',
      'get_lead_distribution_trail: people; leads:read; any sign-in; read',
      'explain_lead: people; leads:read; any sign-in; read',
      'get_consent_record: people; leads:read; any sign-in; read',
      'send_test_lead: leads; leads:write; any sign-in; change',
      'get_ping: people; leads:read; any sign-in; read',
      'retry_deliveries: leads; leads:write; any sign-in; change',
      'resolve_delivery: leads; leads:write; any sign-in; change',
      'resolve_return: leads; leads:write; any sign-in; change',
      'list_returns: people; leads:read; any sign-in; read',
      'create_automation: address; campaigns:write; fresh sign-in; change',
      'update_automation: address,access; campaigns:write; fresh sign-in; change',
      'send_test_event: leads; campaigns:write; any sign-in; change',
      'list_events: people; leads:read; any sign-in; read',
      'resend_event: leads; leads:write; any sign-in; change',
      'enable_buyer_portal: access; portal:write; fresh sign-in; change',
      'enable_supplier_portal: access; portal:write; fresh sign-in; change',
      'configure_portal_settings: access; portal:write; fresh sign-in; change',
      'get_portal_members: people; portal:read; any sign-in; read',
      'add_portal_member: access; portal:write; fresh sign-in; change',
      'remove_portal_member: access; portal:write; fresh sign-in; change',
      'list_members: people; settings:read; any sign-in; read',
      'invite_member: access; settings:write; fresh sign-in; change',
      'update_member: access; settings:write; fresh sign-in; change',
      'remove_member: access; settings:write; fresh sign-in; change',
      'list_sessions: people; settings:read; any sign-in; read',
      'revoke_session: access; settings:write; fresh sign-in; change',
      'create_api_key: access; settings:write; fresh sign-in; change',
      'revoke_api_key: access; settings:write; fresh sign-in; change',
      'configure_single_sign_on: access; settings:write; fresh sign-in; change',
    ]);
  });

  it('is declared by each call and file of the portals', () => {
    const calls = PARTNER_CALLS.filter(({ letsOut }) => letsOut.length > 0);
    expect(
      calls.map((call) => {
        const isFresh = needsFresh(call.letsOut);
        const record = call.effect === 'read' ? 'read' : 'change';
        const sign = isFresh ? 'fresh' : 'any';
        const who = [call.needs ?? 'viewer', call.permits ?? []].flat().join(' + ');
        return `${call.side} ${call.name}: ${told(call.letsOut)}; ${who}; ${sign} sign-in; ${record}`;
      }),
    ).toEqual([
      'buyer list_sales: people; viewer; any sign-in; read',
      'buyer get_sale: people; viewer; any sign-in; read',
      'buyer list_returns: people; viewer; any sign-in; read',
      'buyer update_endpoint: address; admin; fresh sign-in; change',
      'buyer send_test_lead: leads; admin; any sign-in; change',
      'buyer list_attempts: people; viewer; any sign-in; read',
      'buyer resend_delivery: leads; admin + resend; any sign-in; change',
      'buyer rotate_secret: access; admin; fresh sign-in; change',
      'supplier send_test_post: leads; admin; any sign-in; change',
      'supplier send_test_ping: leads; admin; any sign-in; change',
      'supplier get_post: people; viewer; any sign-in; read',
      'supplier create_key: access; admin; fresh sign-in; change',
      'supplier rotate_key: access; admin; fresh sign-in; change',
      'supplier revoke_key: access; admin; fresh sign-in; change',
      'supplier set_webhook: address; admin; fresh sign-in; change',
      'supplier rotate_webhook_secret: access; admin; fresh sign-in; change',
      'supplier test_webhook: leads; admin; any sign-in; change',
      'supplier remove_webhook: access; admin; fresh sign-in; change',
      'both list_team: people; viewer; any sign-in; read',
      'both invite_team_member: access; admin; fresh sign-in; change',
      'both update_team_member: access; admin; fresh sign-in; change',
      'both remove_team_member: access; admin; fresh sign-in; change',
    ]);
    expect(
      PARTNER_FILES.map(({ name, side, letsOut }) => `${side} ${name}: ${told(letsOut)}`),
    ).toEqual([
      'buyer leads.csv: people',
      'buyer returns.csv: people',
      'supplier payout.csv: ',
      'supplier posts.csv: ',
    ]);
  });
});

/** Keys of a schema, at every depth. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { properties?: object };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysOf)];
}

describe('an action', () => {
  it.each(REGISTRY.map((action) => [action.name, action] as const))(
    '%s declares an address that it takes, and a secret that it returns',
    (name, { input, output, letsOut, effect }) => {
      const asked = effect === 'read' ? [] : Object.keys(input.shape);
      const kinds = letsOut.map(({ out }) => out);
      if (asked.some((key) => ['url', 'delivery', 'target', 'headers'].includes(key)))
        expect(kinds).toContain('address');
      const answered = keysOf(z.toJSONSchema(output));
      // The credentials of a new record open nothing yet.
      const isNew = ['create_buyer', 'create_supplier', 'create_automation'].includes(name);
      if (!isNew && answered.some((key) => /^(api_key|secret|.*_secret|invite_url)$/.test(key)))
        expect(kinds).toContain('access');
    },
  );
});

describe('an action that says where leads go, or who sees them', () => {
  let database: ConsoleServer['database'];
  let server: ConsoleServer['server'];
  let org_id: string;
  beforeAll(async () => {
    ({ database, server, org_id } = await startConsole({ name: 'Org', time_zone: 'Asia/Tokyo' }));
  });
  afterAll(async () => {
    await server.close(0);
    await database.drop();
  });

  const member = (role: OrgRole, isStale: boolean) =>
    signInMember(database.collections, { org_id, scope: { kind: 'organization' }, role, isStale });
  const run = (who: SignedInMember, name: ActionName, input: object) =>
    send(`${server.url}/console/api/${who.membership_id}/actions/${name}`, {
      method: 'POST',
      headers: {
        cookie: who.cookie,
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
      },
      body: JSON.stringify(input),
    });

  const guarded = REGISTRY.filter(({ letsOut }) => needsFresh(letsOut)).map(
    (action) => [action.name, action] as const,
  );

  it.each(guarded)('%s is refused to a person who signed in long ago', async (name, action) => {
    const who = await member('admin', true);
    for (const input of inputsOf(action)) {
      const { status, json } = await run(who, name, input);
      expect([status, json?.error, json?.required]).toEqual([403, 'forbidden', 'fresh_sign_in']);
      expect(json?.message).toBe('Confirm your sign-in first: it was more than 15 minutes ago.');
    }
    expect(await database.collections.audit.countDocuments({ action: name })).toBe(0);
    const plain = NOT_USING[name];
    if (!plain) return;
    const { json } = await run(who, name, { ...action.example, ...plain });
    expect(json?.required).not.toBe('fresh_sign_in');
  });

  const recorded = REGISTRY.filter(
    ({ letsOut, effect }) => needsFresh(letsOut) || (letsOut.length > 0 && effect !== 'read'),
  ).map((action) => [action.name, action] as const);

  it.each(recorded)('%s is recorded, whether a person or a key calls it', async (name, action) => {
    const who = await member('admin', false);
    const { api_key } = await createOrgKey(accountOf(database, org_id), {
      name: `For ${name}`,
      permissions: permissionsOf('write'),
    });
    const [input = {}] = inputsOf(action);
    for (const answer of [
      await run(who, name, input),
      await post(server.url, name, api_key, input),
    ])
      expect([answer.status < 500, answer.json?.required]).toEqual([true, undefined]);
    const by = [{ 'person.id': who.person_id }, { key_name: `For ${name}` }];
    const found = database.collections.audit.find({ action: name, $or: by });
    const entries = await found.sort({ at: 1 }).toArray();
    expect(entries.map(({ person, key_name }) => person?.id ?? key_name)).toEqual([
      who.person_id,
      `For ${name}`,
    ]);
  });

  it('is refused for the further permission that it needs, before the sign-in', async () => {
    const who = await member('analyst', true);
    const input = { supplier_id: 'sup-1', reveal_key: true };
    const { status, json } = await run(who, 'get_supplier', input);
    expect([status, json?.required]).toEqual([403, 'suppliers:write']);
    expect(json?.message).toBe(
      'reveal_key needs the permission suppliers:write, which your role does not have.',
    );
  });
});

const post = (url: string, name: ActionName, key: string, input: object) =>
  send(`${url}/api/v1/actions/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
