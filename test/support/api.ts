/**
 * The API alone, without Temporal and workers, on a database of the test file's own: for keys. `test/api/consoleServer.ts`
 * adds the people of an organization.
 */
import { Agent } from 'node:http';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import type { ActionName } from '../../src/api/actions/names.js';
import type { SystemState } from '../../src/api/actions/schemas/system.js';
import type { ActionDeps } from '../../src/api/actions/action.js';
import { createInviterRights } from '../../src/api/console/inviterRights.js';
import { createActionService } from '../../src/api/actions/service.js';
import { systemClock } from '../../src/lib/clock.js';
import { createQueueCommands } from '../../src/distribution/commands/queueCommands.js';
import { createBackground } from '../../src/lib/background.js';
import { createPeople, type People } from '../../src/people/people.js';
import { createOutboundHttp } from '../../src/platform/outbound/http.js';
import { portalOf } from '../../src/portal/settings.js';
import { createLog } from '../../src/lib/log.js';
import { createReturns } from '../../src/outcomes/returns/service.js';
import { createDeliveryStore } from '../../src/deliveries/store/deliveries.js';
import type { Collections } from '../../src/app/database.js';
import type { Permission } from '../../src/account/store/keyDocs.js';
import { hashKey } from '../../src/platform/security/keys.js';
import { createCommandStore } from '../../src/distribution/store/commands.js';
import { keyring } from '../account/values.js';
import { openDatabase } from './database.js';
import { expectDescribed } from './contract.js';
import { fakeIntake, fakePings, send, startServer, type HttpReply } from './http.js';
import { accountOf, makeOrg } from './org.js';
import { CHEAP } from './passwordCost.js';

export interface Org {
  id: string;
  /** A new key of the organization; default: all permissions. */
  key(permissions?: Permission[]): Promise<string>;
  /** The same key each time it is asked for with these permissions; no limit applies to it. */
  sharedKey(permissions?: Permission[]): Promise<string>;
}

export interface ActionsApi {
  url: string;
  collections: Collections;
  org(): Promise<Org>;
  /** Calls an action; `extra` replaces parts of the request. */
  call(key: string, action: ActionName, input?: object): Promise<HttpReply>;
  /** The same by a key of the organization. Returns `data`. */
  done<T>(org: Org, action: ActionName, input?: object): Promise<T>;
  stop(): Promise<void>;
}

let made = 0;

const PLENTY = { calls_per_minute: 10_000, writes_per_minute: 10_000 };

/** The people of organizations and partners; their portals are open if their settings say so. */
export const peopleOf = (collections: Collections): People =>
  createPeople({
    collections,
    clock: systemClock,
    log: createLog('silent', 'test'),
    keyring,
    mail: null,
    breachedPasswords: null,
    allowPrivate: true,
    background: createBackground(),
    outbound: createOutboundHttp({ allowPrivate: true }),
    baseUrl: () => 'https://leads.example',
    isOpen: async ({ org_id, scope }) =>
      scope.kind === 'organization' || (await portalOf(collections, org_id, scope)) !== null,
    mayInvite: createInviterRights({ collections, clock: systemClock }),
    passwordCost: CHEAP,
  });

/** An installation in good health. */
const SYSTEM: SystemState = {
  status: 'ready',
  parts: [{ name: 'mongodb', state: 'ok', latency_ms: 1 }],
  warnings: [],
  reconciled_at: new Date(0),
  versions: { leadwire: '0.1.0', commit: 'unknown', node: '24.0.0', mongodb: '8.0.0' },
  links: { metrics_url: 'https://leads.example/metrics', temporal_namespace: 'default' },
};

/** The dependencies of actions; queue commands do nothing, and every lead is accepted. */
export const actionDeps = (collections: Collections): ActionDeps => ({
  collections,
  keyring,
  policy: { allowPrivate: true },
  clock: systemClock,
  queue: createQueueCommands({
    collections,
    commands: createCommandStore(collections.commands),
    clock: systemClock,
    starter: { command: () => Promise.reject(new Error('there are no workers here')) },
    waitMs: 1_000,
  }),
  intake: fakeIntake(),
  pings: fakePings(),
  wakeEndpoints: () => undefined,
  recipients: { ask: () => undefined },
  outcomes: { make: () => Promise.reject(new Error('there are no workers here')) },
  returns: createReturns({
    collections,
    clock: systemClock,
    log: createLog('silent', 'test'),
    deliveries: createDeliveryStore(collections.deliveries),
    changes: { make: () => Promise.reject(new Error('there are no workers here')) },
    redistribute: () => Promise.resolve({ refused: 'There are no workers here.' }),
  }),
  ingestAddress: () => ({ url: 'https://leads.example', isSet: true }),
  members: peopleOf(collections).members,
  singleSignOn: {
    settings: () => Promise.resolve(null),
    configure: (_orgId, settings) => Promise.resolve(settings),
  },
  siteUrl: () => 'https://leads.example',
  workflowUrl: () => null,
  system: () => Promise.resolve(SYSTEM),
  funnels: {
    url: () => 'https://forms.example',
    ownOrigin: true,
    issuePreview: (funnelId) => `token-of-${funnelId}`,
  },
});

/** @param deps replace the defaults */
export async function startActionsApi(deps: Partial<ActionDeps> = {}): Promise<ActionsApi> {
  const database = await openDatabase();
  const { collections } = database;
  const actions = createActionService({ ...actionDeps(collections), ...deps });
  const server = await startServer({ actions });
  const call: ActionsApi['call'] = (key, action, input = {}) =>
    post(`${server.url}/api/v1/actions/${action}`, key, JSON.stringify(input));
  return {
    url: server.url,
    collections,
    async org() {
      const { _id: id } = await makeOrg(collections, `Org ${++made}`);
      const key = async (permissions = permissionsOf('write')) =>
        (await createOrgKey(accountOf({ collections }, id), { name: `Key ${++made}`, permissions }))
          .api_key;
      const unlimited = async (permissions?: Permission[]) => {
        const made = await key(permissions);
        await collections.apiKeys.updateOne({ _id: hashKey(made) }, { $set: { limits: PLENTY } });
        return made;
      };
      const shared = new Map<string, Promise<string>>();
      const sharedKey = (permissions?: Permission[]) => {
        const found = shared.get(String(permissions)) ?? unlimited(permissions);
        shared.set(String(permissions), found);
        return found;
      };
      return { id, key, sharedKey };
    },
    call,
    async done<T>(org: Org, action: ActionName, input = {}) {
      const { status, json, text } = await call(await org.sharedKey(), action, input);
      if (status !== 200) throw new Error(`${action}: ${status} ${text}`);
      return json?.data as T;
    },
    async stop() {
      await server.close(0);
      await database.drop();
    },
  };
}

export type Row = Record<string, unknown> & { id: string; version: number };

/** A campaign with a buyer and a supplier. */
export async function setUp(api: ActionsApi, org: Org) {
  const campaign = await api.done<Row>(org, 'create_campaign', { name: 'Auto', status: 'active' });
  const buyer = await api.done<Row>(org, 'create_buyer', { name: 'Acme', email: 'a@b.example' });
  const supplier = await api.done<Row>(org, 'create_supplier', { name: 'Search' });
  const campaign_id = campaign.id;
  await api.done(org, 'add_buyer_to_campaign', {
    campaign_id,
    buyer_id: buyer.id,
    price: 25.5,
    dailyCap: 100,
    total_budget: 900.25,
    states: ['ca'],
    filters: [{ field: 'state', operator: '==', value: 'CA' }],
  });
  await api.done(org, 'add_supplier_to_campaign', {
    campaign_id,
    supplier_id: supplier.id,
    cost_per_lead: 12,
  });
  return { campaign, buyer, supplier };
}

const agent = new Agent({ keepAlive: true });

/** Every answer must match the API description. */
export async function post(
  url: string,
  key: string | undefined,
  body: string,
  type = 'application/json',
): Promise<HttpReply> {
  const reply = await send(url, {
    agent,
    method: 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      'content-type': type,
    },
    body,
  });
  expectDescribed('post', url, reply);
  return reply;
}

/** The status of a refusal, and its problems. */
export async function faultsOf(
  api: ActionsApi,
  org: Org,
  ...[action, input]: [ActionName, object]
): Promise<unknown[]> {
  const { status, json } = await api.call(await org.sharedKey(), action, input);
  const found = (json?.field_errors ?? json?.details ?? []) as { message: string }[];
  return [status, ...found.map(({ message }) => message)];
}
