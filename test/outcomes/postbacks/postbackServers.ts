/** The postback over HTTP on a testbed without a service; requested changes are recorded, and no sale is changed. */
import { webhookSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../src/lib/clock.js';
import { systemClock } from '../../../src/lib/clock.js';
import { lookupKeys } from '../../../src/leads/rules/dedupe.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Fields } from '../../../src/fields/values.js';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createPostbacks } from '../../../src/outcomes/postbacks/postbacks.js';
import { createRateLimiter } from '../../../src/platform/rateLimits/limiter.js';
import { createBuyerLeads } from '../../../src/leads/store/buyerLeads.js';
import type { DeliveryDoc, DeliveryState } from '../../../src/deliveries/store/deliveryDoc.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { aLead, aRow, NOW } from '../../support/storedRows.js';
import type { TestAccount } from '../../support/account.js';
import { expectDescribed } from '../../support/contract.js';
import { send, startServer, type HttpReply } from '../../support/http.js';
import { startTestbed, type MarketSpec, type Testbed } from '../../support/testbed.js';
import { recordedChanges, type RecordedChanges } from '../recordedChanges.js';

const PATH = '/api/webhooks/buyer-outcome';

export interface PostbackServers extends Pick<Testbed, 'collections' | 'keyring' | 'stop'> {
  url: string;
  changes: RecordedChanges;
  /** The servers' clock; it stands still. */
  clock: { at: Date };
  /** An account whose buyers store their leads. */
  market(spec?: MarketSpec, buyers?: readonly string[]): Promise<PostbackMarket>;
  /** Posts JSON; the answer must match the API description. */
  post(secret: string | undefined, body: object, process?: number): Promise<HttpReply>;
  postForm(secret: string, body: Record<string, string>): Promise<HttpReply>;
}

export interface PostbackMarket {
  account: TestAccount;
  /** The webhook secret of a buyer, by its name. */
  secret(buyer?: string): Promise<string>;
  /** A lead sold to these buyers. */
  sold(fields: Fields, buyers?: readonly string[], changes?: Partial<Lead>): Promise<Lead>;
  /** A lead sent to the buyer, with this result. */
  sent(
    state: DeliveryState,
    fields?: Fields,
    changes?: Partial<Lead>,
    row?: Partial<DeliveryDoc>,
  ): Promise<Lead>;
}

/** Two processes on one database. */
export async function startPostbackServers(): Promise<PostbackServers> {
  const testbed = await startTestbed({ role: null });
  const { collections, keyring } = testbed;
  const changes = recordedChanges();
  const clock = { at: NOW };
  const process = async () => {
    const limiter = createRateLimiter({ rates: collections.rates });
    const postbacks = createPostbacks({
      accountCache: createAccountCache(
        collections,
        createPlanStore(collections.plans),
        systemClock,
      ),
      leads: createBuyerLeads(collections.leads),
      deliveries: createDeliveryStore(collections.deliveries),
      clock: { now: () => clock.at } as Clock,
      limiter,
      changes,
      earlier: changes.earlier,
    });
    const server = await startServer({ postbacks });
    return { url: server.url, stop: () => server.close(0).then(() => limiter.close()) };
  };
  const processes = [await process(), await process()] as const;
  testbed.onStop(() => Promise.all(processes.map(({ stop }) => stop())));
  const request = async (
    secret: string | undefined,
    body: string,
    type: string,
    url = processes[0].url,
  ) => {
    const reply = await send(`${url}${PATH}`, {
      method: 'POST',
      headers: {
        'content-type': type,
        ...(secret === undefined ? {} : { 'x-buyer-secret': secret }),
      },
      body,
    });
    expectDescribed('post', `${url}${PATH}`, reply);
    return reply;
  };
  return {
    url: processes[0].url,
    collections,
    keyring,
    changes,
    clock,
    post: (secret, body, index = 0) =>
      request(secret, JSON.stringify(body), 'application/json', processes[index]?.url),
    postForm: (secret, body) =>
      request(secret, new URLSearchParams(body).toString(), 'application/x-www-form-urlencoded'),
    async market(spec = {}, names = ['Acme', 'Best']) {
      const stores = names.map((name) => [name, { delivery: { method: 'STORE' as const } }]);
      const buyers = Object.fromEntries(stores) as MarketSpec['buyers'];
      const { account } = await testbed.market({ ...spec, buyers });
      return marketOf(account, testbed);
    },
    stop: () => testbed.stop(),
  };
}

function marketOf(account: TestAccount, { collections, keyring }: Testbed): PostbackMarket {
  const idOf = (name: string): string => {
    const id = account.buyers[name];
    if (id === undefined) throw new Error(`There is no buyer ${name}`);
    return id;
  };
  const store = async (fields: Fields, changes: Partial<Lead>): Promise<Lead> => {
    const lead = aLead({
      _id: randomUUID(),
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: account.suppliers[0]?.id ?? '',
      fields,
      keys: lookupKeys(fields),
      ...changes,
    });
    await collections.leads.insertOne(lead);
    return lead;
  };
  return {
    account,
    async secret(buyer = 'Acme') {
      const doc = await collections.buyers.findOne({ _id: idOf(buyer) });
      if (!doc) throw new Error('There is no such buyer');
      return keyring.open(doc.webhook_secret, webhookSecretPlace(doc._id));
    },
    sold(fields, buyers = ['Acme'], changes = {}) {
      const sales = buyers.map((name, n) => ({
        buyer_id: idOf(name),
        attempt: n + 1,
        price: 10_000_000,
        cost: 0,
        at: NOW,
      }));
      return store(fields, { status: 'ACCEPTED', sales, ...changes });
    },
    async sent(state, fields = {}, changes = {}, more = {}) {
      const lead = await store(fields, { status: 'PENDING', ...changes });
      const { _id: lead_id, org_id, campaign_id, supplier_id } = lead;
      const row = aRow({
        lead_id,
        org_id,
        campaign_id,
        supplier_id,
        buyer_id: idOf('Acme'),
        state,
        ...more,
      });
      await collections.deliveries.insertOne(row);
      return lead;
    },
  };
}

/** Field and code of each fault in a 400. */
export const faultsOf = ({ json }: HttpReply): string[][] =>
  ((json?.field_errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => [
    field,
    code,
  ]);
