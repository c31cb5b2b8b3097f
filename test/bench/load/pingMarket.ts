/** A ping-post campaign of the benchmark, many suppliers that ping for it, and an audit of their pings. */
import { Pool } from 'undici';
import type { FilterGroup } from '../../../src/fields/filters.js';
import { DEFAULT_PING_SETTINGS, type BuyerPing } from '../../../src/account/rules/pingSettings.js';
import type { RateLimit } from '../../../src/platform/rateLimits/store/rateDoc.js';
import { publishPlan } from '../../support/plans.js';
import { aPerson } from '../../support/supplier.js';
import type { Bench } from '../bench.js';

const SUPPLIERS = 8;
const CONNECTIONS = 512;
/** High enough that no supplier is limited. */
const PLENTY: RateLimit = { per_second: 5_000, burst_per_second: 10_000, burst_seconds: 10 };
/** Ids per query. */
const LOOK_UP = 1_000;
const TIMEOUT_MS = 500;

export interface MarketSpec {
  /** Prices of the buyers; a buyer with a path is asked there, and bids live. */
  buyers: { price: number; path?: string }[];
  filters?: FilterGroup;
  deadline_ms?: number;
}

export interface PingMarket {
  campaignId: string;
  /** Sends the n-th ping. Its class: the number of bids, why there are none, or the status or error of a failure. */
  ping(n: number): Promise<string>;
  /** How many pings were sent so far. */
  sent(): number;
  /** Compares the acknowledged pings with the stored ones: missing ones, and stored ones in addition to them. */
  audit(): Promise<{ acknowledged: number; missing: number; beside: number }>;
  close(): Promise<void>;
}

export async function openMarket(bench: Bench, spec: MarketSpec): Promise<PingMarket> {
  const { account, supplier } = await bench.account((url) => ({
    suppliers: SUPPLIERS,
    campaign: {
      routing_method: 'PING_POST',
      ...(spec.filters ? { filters: spec.filters } : {}),
    },
    buyers: Object.fromEntries(
      spec.buyers.map(({ price }, n) => [
        `buyer ${n + 1}`,
        { price, delivery: { url: `${url}/fast/${n + 1}` } },
      ]),
    ),
  }));
  await supplier.close();
  const { campaignId, orgId } = account;
  await publish(bench, account, spec);
  const pool = new Pool(bench.apiUrl, { connections: CONNECTIONS, keepAliveTimeout: 60_000 });
  const acknowledged = new Set<string>();
  let sent = 0;
  return {
    campaignId,
    async ping(n) {
      sent += 1;
      const sender = account.suppliers[n % SUPPLIERS];
      const body = { flo_campaign_id: campaignId, flo_supplier_id: sender?.id, ...aPerson() };
      try {
        const reply = await pool.request({
          path: '/api/v1/ping',
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': sender?.key ?? '' },
          body: JSON.stringify(body),
        });
        const said = (await reply.body.json()) as Said;
        if (reply.statusCode !== 200) return `${String(reply.statusCode)} ${said.error ?? ''}`;
        if (said.accepted !== true) return said.reason ?? 'refused';
        acknowledged.add(idIn(said.ping_id ?? ''));
        return `${String(said.buyers?.length ?? 0)} bid`;
      } catch (error) {
        return error instanceof Error ? error.name : 'error';
      }
    },
    sent: () => sent,
    async audit() {
      const { pings } = bench.collections;
      const ids = [...acknowledged];
      let found = 0;
      for (let from = 0; from < ids.length; from += LOOK_UP)
        found += await pings.countDocuments({ _id: { $in: ids.slice(from, from + LOOK_UP) } });
      const accepted = {
        campaign_id: campaignId,
        org_id: orgId,
        state: { $ne: 'refused' as const },
      };
      const stored = await pings.countDocuments(accepted);
      return { acknowledged: ids.length, missing: ids.length - found, beside: stored - found };
    },
    close: () => pool.destroy(),
  };
}

interface Said {
  accepted?: boolean;
  reason?: string;
  error?: string;
  ping_id?: string;
  buyers?: unknown[];
}

/** The ping id in a token, without verifying the token. */
function idIn(token: string): string {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { jti: string }).jti;
}

/** The plan with its live buyers, and suppliers without a practical ping limit. */
async function publish(
  { collections, buyers }: Bench,
  { campaignId, orgId, buyers: ids }: { campaignId: string; orgId: string; buyers: object },
  spec: MarketSpec,
): Promise<void> {
  const { deadline_ms = DEFAULT_PING_SETTINGS.deadline_ms } = spec;
  const order = Object.values(ids) as string[];
  const pingOf = (buyerId: string): BuyerPing | undefined => {
    const path = spec.buyers[order.indexOf(buyerId)]?.path;
    if (path === undefined) return undefined;
    const timeout_ms = Math.min(TIMEOUT_MS, deadline_ms);
    return { url: `${buyers.url}${path}`, timeout_ms, fields: [], headers: {} };
  };
  const { suppliers } = collections;
  await suppliers.updateMany({ org_id: orgId }, { $set: { ping_rate_limit: PLENTY } });
  await publishPlan(collections, { campaignId, orgId }, (plan) => ({
    ping: { ...DEFAULT_PING_SETTINGS, deadline_ms },
    buyers: plan.buyers.map((terms) => {
      const ping = pingOf(terms.buyer_id);
      return ping ? { ...terms, ping } : terms;
    }),
  }));
}
