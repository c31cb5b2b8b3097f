/** The API alone (pings need no workers), one server for every live buyer, and a ping-post campaign per test. */
import type { PingDoc } from '../../src/pings/store/pingDocs.js';
import type { PingSettings } from '../../src/account/rules/pingSettings.js';
import { DEFAULT_PING_SETTINGS } from '../../src/account/rules/pingSettings.js';
import { type BuyerTerms, type Plan, type SupplierTerms } from '../../src/account/rules/plan.js';
import type { Service } from '../../src/app/service.js';
import { createAccount, type AccountSpec, type TestAccount } from '../support/account.js';
import { expectDescribed } from '../support/contract.js';
import {
  startFakeBuyer,
  type Behavior,
  type BuyerRequest,
  type FakeBuyer,
} from '../support/fakeBuyer.js';
import { send, type HttpReply } from '../support/http.js';
import { publishPlan } from '../support/plans.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

type Link = Omit<AccountSpec['buyers'][string], 'delivery'>;

export interface PingBuyer extends Link {
  /** Makes it a live buyer that answers like this. */
  live?: (request: BuyerRequest) => Behavior;
  /** Further terms in the plan. */
  terms?: Partial<BuyerTerms>;
}

export interface PingMarketSpec extends Omit<AccountSpec, 'buyers'> {
  buyers?: Record<string, PingBuyer>;
  ping?: Partial<PingSettings>;
  /** Further terms of the suppliers. */
  terms?: Partial<SupplierTerms>;
}

export interface PingMarket {
  account: TestAccount;
  /** The name for a buyer's id. */
  nameOf: (buyerId: unknown) => string;
  ping(fields?: Record<string, unknown>, options?: PingOptions): Promise<HttpReply>;
  /** Publishes a plan with these changes. */
  change(alter: (plan: Plan) => Partial<Plan>): Promise<void>;
  /** Every ping of the campaign, oldest first. */
  stored(): Promise<PingDoc[]>;
  /** The requests to a live buyer. */
  askedOf(name: string): BuyerRequest[];
}

export interface PingOptions {
  /** Index of the account's supplier that asks. */
  supplier?: number;
  key?: string;
}

export interface PingScene {
  bed: Testbed;
  service: Service & { url: string };
  market(spec?: PingMarketSpec): Promise<PingMarket>;
  stop(): Promise<void>;
}

/** The answer to a ping: the buyers by name, best first, or the reason without bids. */
export const bidsOf = ({ json }: HttpReply, { nameOf }: PingMarket): unknown =>
  json?.accepted === true
    ? (json.buyers as { buyer_id: string; bid_price: number }[]).map(
        ({ buyer_id, bid_price }) => `${nameOf(buyer_id)} ${bid_price}`,
      )
    : (json?.reason ?? json?.error);

export async function startPingScene(env: Record<string, string> = {}): Promise<PingScene> {
  const answers = new Map<string, (request: BuyerRequest) => Behavior>();
  const bed = await startTestbed({ role: 'api', settings: env });
  const { service } = bed;
  const buyer: FakeBuyer = await startFakeBuyer(
    (request) => answers.get(request.path)?.(request) ?? { status: 404 },
  );
  bed.onStop(() => buyer.stop());
  let markets = 0;

  return {
    bed,
    service,
    async market({ buyers = { only: {} }, ping = {}, terms = {}, ...spec } = {}) {
      const base = `/${++markets}`;
      const account = await createAccount(bed, {
        ...spec,
        campaign: { routing_method: 'PING_POST', ...spec.campaign },
        buyers: Object.fromEntries(
          Object.entries(buyers).map(([name, { live: _live, terms: _terms, ...link }]) => [
            name,
            { ...link, delivery: { url: `${buyer.url}${base}/leads` } },
          ]),
        ),
      });
      const { campaignId } = account;
      const change = (alter: (plan: Plan) => Partial<Plan>): Promise<void> =>
        publishPlan(bed.collections, account, alter);
      const nameOf = (id: unknown): string =>
        Object.entries(account.buyers).find(([, buyerId]) => buyerId === id)?.[0] ?? String(id);
      await change((plan) => ({
        // Patient: a busy machine must not turn answers into 503.
        ping: { ...DEFAULT_PING_SETTINGS, deadline_ms: 3_000, ...ping },
        buyers: plan.buyers.map((one): BuyerTerms => {
          const { live, terms: more = {} } = buyers[nameOf(one.buyer_id)] ?? {};
          if (!live) return { ...one, ...more };
          const path = `${base}/${nameOf(one.buyer_id)}`;
          answers.set(path, live);
          const url = `${buyer.url}${path}`;
          return { ...one, ping: { url, timeout_ms: 2_000, fields: [], headers: {} }, ...more };
        }),
        suppliers: Object.fromEntries(
          Object.entries(plan.suppliers).map(([id, one]) => [id, { ...one, ...terms }]),
        ),
      }));
      return {
        account,
        nameOf,
        change,
        async ping(fields = {}, { supplier = 0, key } = {}) {
          const sender = account.suppliers[supplier];
          const url = `${service.url}/api/v1/ping`;
          const body = { flo_campaign_id: campaignId, flo_supplier_id: sender?.id, ...fields };
          const reply = await send(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'x-api-key': key ?? sender?.key ?? '' },
            body: JSON.stringify(body),
          });
          expectDescribed('post', url, reply);
          return reply;
        },
        stored: () =>
          bed.collections.pings.find({ campaign_id: campaignId }).sort({ created_at: 1 }).toArray(),
        askedOf: (name) => buyer.requests.filter(({ path }) => path === `${base}/${name}`),
      };
    },
    stop: () => bed.stop(),
  };
}
