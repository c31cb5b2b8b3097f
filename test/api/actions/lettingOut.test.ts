/** Everything that lets people's data or leads out: who may, with which sign-in, and which record of it is kept. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { needsFresh, usedExits } from '../../../src/api/actions/exits.js';
import type { ActionName } from '../../../src/api/actions/names.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
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
  test_delivery: [{ lead_id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10' }],
  preview_routing: [
    { campaign: { filters: null } },
    { buyers: [{ buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7', states: ['TX'] }] },
    { buyers: [{ buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7', zips: ['94110'] }] },
  ],
  get_lead_breakdown: [{ group_by: 'state' }, { then_by: 'state' }],
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
  copy_campaign: { buyers: false },
  test_delivery: {},
  preview_routing: { campaign: { max_sells: 2 } },
  get_lead_breakdown: { then_by: 'day' },
  get_supplier: {},
  get_campaign_api_spec: {},
  update_automation: { status: 'paused', name: 'Renamed' },
  configure_portal_settings: { fields: undefined, display_name: 'Leads', returns: true },
};

const inputsOf = ({ name, example }: (typeof REGISTRY)[number]): object[] =>
  (USING[name] ?? [{}]).map((more) => ({ ...example, ...more }));

describe('what lets data or leads out', () => {
  it('is used by the inputs that these tests call each action with', () => {
    for (const action of REGISTRY.filter(({ letsOut }) => letsOut.length > 0))
      for (const input of inputsOf(action))
        expect([action.name, usedExits(action, input).length > 0]).toEqual([action.name, true]);
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
