/** Every read that a viewer may run, and the live feed, over a lead whose every personal value can be recognized. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { createOrg } from '../../src/account/orgs.js';
import { createOrgKey } from '../../src/account/keys/keys.js';
import { createActionService } from '../../src/api/actions/service.js';
import type { ActionName } from '../../src/api/actions/names.js';
import { REGISTRY } from '../../src/api/actions/registry.js';
import { createConsoleService } from '../../src/api/console/service.js';
import type { HttpServer } from '../../src/api/http/server.js';
import { createLiveLeads, type LiveLeads } from '../../src/api/live/liveLeads.js';
import type { OrgRole } from '../../src/people/types.js';
import { actionDeps, peopleOf } from '../support/api.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { send, startServer } from '../support/http.js';
import { accountOf, TEST_ZONE } from '../support/org.js';
import { signInMember, type SignedInMember } from '../support/portal.js';
import { readEvents } from './live/readEvents.js';
import { isSecretIn, SECRETS, storeSecrets, type Place } from './secretLead.js';

let database: TestDatabase;
let server: HttpServer;
let live: LiveLeads;
let org_id: string;
let place: Place;
const members = new Map<OrgRole, SignedInMember>();

beforeAll(async () => {
  database = await openDatabase();
  const { collections } = database;
  const people = peopleOf(collections);
  const deps = { ...actionDeps(collections), members: people.members, people };
  live = createLiveLeads(deps, { everyMs: 40, settledMs: 300, checkMs: 1_000 });
  server = await startServer({
    people,
    live,
    actions: createActionService(deps),
    console: createConsoleService(deps),
  });
  org_id = (await createOrg(collections, { name: 'Org', time_zone: TEST_ZONE }))._id;
  const scope = { kind: 'organization' } as const;
  for (const role of ['admin', 'analyst', 'viewer'] as const)
    members.set(role, await signInMember(collections, { org_id, scope, role }));
  place = await storeSecrets(collections, org_id, async (action, input) => {
    const { status, text } = await run('admin', action, input);
    expect([action, status, status === 200 ? '' : text]).toEqual([action, 200, '']);
    return (JSON.parse(text) as { data: { id: string } }).data;
  });
});
afterAll(async () => {
  live.stop();
  await server.close(0);
  await database.drop();
});

async function run(role: OrgRole, action: ActionName, input: object) {
  const { cookie, membership_id } = members.get(role)!;
  const answer = await fetch(`${server.url}/console/api/${membership_id}/actions/${action}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(input),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Inputs that would show it, beside the ids of all that is about the lead. */
const ASKED: Partial<Record<ActionName, (at: Place) => object[]>> = {
  get_lead: () => [{ include_trail: true, include_related: true }],
  explain_lead: ({ buyer_id }) => [{}, { buyer_id }],
  get_leads: () => [
    { status: undefined, date_from: undefined, date_to: undefined },
    { phone: '+14155550134' },
    { email: 'zqmail@zqhost.example' },
    { click_id: 'zqclick' },
    { search: 'Zqfirst Zqlast' },
  ],
  list_deliveries: ({ lead_id }) => [{}, { lead_id }, { state: 'rejected' }],
  list_returns: ({ lead_id }) => [{}, { lead_id }, { state: undefined }],
  preview_routing: ({ lead_id, buyer_id }) => [
    { campaign: undefined },
    { campaign: undefined, lead_id, buyers: [{ buyer_id, price: 1 }] },
    { campaign: undefined, buyers: [{ buyer_id, zips: ['94117'] }] },
  ],
  test_delivery: ({ lead_id }) => [{}, { lead_id, fields: {} }],
  list_pings: () => [{ status: undefined }],
  list_event_deliveries: () => [{ state: undefined, automation_id: undefined }],
  get_plan_history: () => [{ from_version: 1 }],
  get_lead_breakdown: () => [{ date_from: undefined, date_to: undefined, then_by: 'supplier' }],
  list_campaigns: () => [{ figures: true }, { whole: true }],
  list_buyers: () => [{ figures: true }, { whole: true }],
  list_suppliers: () => [{ figures: true }],
  list_funnels: () => [{ stats: true, whole: true, status: undefined }],
  get_funnel_stats: () => [{ version: undefined }],
  list_change_requests: () => [{ state: undefined }],
};

/** An example with the ids of these records, and without those of filters that would leave the lead out. */
function inputsOf({ name, example, input }: (typeof REGISTRY)[number]): object[] {
  const isList = 'limit' in input.shape;
  const ids = Object.fromEntries(
    Object.keys(input.shape).flatMap((key) => {
      const value = (place as unknown as Record<string, string>)[key];
      return key in example && value !== undefined ? [[key, isList ? undefined : value]] : [];
    }),
  );
  const required = Object.fromEntries(
    Object.entries(input.shape as Record<string, z.ZodType>).flatMap(([key, schema]) => {
      const value = (place as unknown as Record<string, string>)[key];
      return value !== undefined && !schema.safeParse(undefined).success ? [[key, value]] : [];
    }),
  );
  const asked = ASKED[name]?.(place) ?? [{}];
  return asked.map((more) => ({ ...example, ...ids, ...required, ...more }));
}

const READS = REGISTRY.filter(({ effect }) => effect === 'read').map(
  (action) => [action.name, action] as const,
);

describe('what a viewer reads', () => {
  it.each(READS)('%s has no byte of a person', async (name, action) => {
    const { calls } = JSON.parse(await me()) as { calls: string[] };
    const statuses: number[] = [];
    for (const input of inputsOf(action)) {
      const { status, text } = await run('viewer', name, input);
      statuses.push(status);
      expect([name, input, isSecretIn(text)]).toEqual([name, input, null]);
    }
    // What the role may run answers with data, or this test would have seen nothing.
    if (calls.includes(name))
      expect([name, statuses]).toEqual([name, expect.arrayContaining([200])]);
    else expect(new Set(statuses)).toEqual(new Set([403]));
  });

  it.each([
    ...(['get_leads', 'get_lead', 'explain_lead', 'list_deliveries', 'get_delivery'] as const),
    ...(['list_returns', 'search', 'export_leads', 'get_consent_record', 'list_events'] as const),
  ])('%s shows it to an analyst: these inputs do ask for it', async (name) => {
    const action = REGISTRY.find((one) => one.name === name)!;
    const inputs = name === 'search' ? [{ query: 'Zqfirst Zqlast' }] : inputsOf(action);
    const answers = await Promise.all(inputs.map((input) => run('analyst', name, input)));
    expect(answers.map(({ status }) => status)).toEqual(inputs.map(() => 200));
    expect(isSecretIn(answers.map(({ text }) => text).join(''))).not.toBeNull();
  });

  it('is refused where the input itself asks about a person', async () => {
    const { campaign_id, buyer_id, lead_id } = place;
    for (const [name, input] of [
      ['preview_routing', { campaign_id, lead_id, buyers: [{ buyer_id, zips: ['94117'] }] }],
      ['preview_routing', { campaign_id, buyers: [{ buyer_id, states: ['CA'] }] }],
      ['preview_routing', { campaign_id, campaign: { filters: null } }],
      ['test_delivery', { buyer_id, lead_id }],
      ['get_leads', { click_id: 'zqclick' }],
      ['search', { query: 'Zqfirst' }],
      ['get_lead_breakdown', { group_by: 'state' }],
      ['get_lead_breakdown', { group_by: 'supplier', then_by: 'state' }],
    ] as const) {
      const { status, text } = await run('viewer', name, input);
      expect([name, status, text]).toEqual([name, 403, expect.stringContaining('personal_data')]);
    }
  });

  it('is the same in the live feed', async () => {
    const { cookie, membership_id } = members.get('viewer')!;
    const from = `${Date.now() - 3_000_000}.x`;
    const url = `${server.url}/console/api/${membership_id}/leads/live?after=${from}`;
    const events = await readEvents(url, { cookie });
    await events.until(() => events.named('lead').length > 0);
    const text = JSON.stringify(events.named('lead'));
    expect(text).toContain(place.lead_id);
    expect(isSecretIn(text)).toBeNull();
    await events.close();
  });
});

const me = async (): Promise<string> => {
  const { cookie, membership_id } = members.get('viewer')!;
  const answer = await fetch(`${server.url}/console/api/${membership_id}/me`, {
    headers: { cookie },
  });
  const { data } = (await answer.json()) as { data: unknown };
  return JSON.stringify(data);
};

describe('the request of a delivery', () => {
  it('is shown by a key that may read buyers, whose address it names', async () => {
    const requestFor = async (permissions: ('leads:read' | 'buyers:read')[]) => {
      const account = accountOf(database, org_id);
      const { api_key } = await createOrgKey(account, { name: permissions.join(' '), permissions });
      const { status, json } = await send(`${server.url}/api/v1/actions/get_delivery`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ delivery_id: place.delivery_id }),
      });
      expect(status).toBe(200);
      return (json?.data as { request: { http: { url: string; body: string } } | null }).request;
    };
    expect(await requestFor(['leads:read'])).toBeNull();
    const request = await requestFor(['leads:read', 'buyers:read']);
    expect(request?.http.url).toBe('https://buyer.example/leads?token=abc');
    expect(request?.http.body).toContain(SECRETS[0]);
  });
});
