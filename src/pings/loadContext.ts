/** Loads the context of the pings in flight: one query of each kind for all of them, and none that no ping needs. */
import type { Clock } from '../lib/clock.js';
import type { CapState } from '../routing/rules/caps.js';
import { hasCaps } from '../account/rules/capLimits.js';
import { claimIdOf, dedupeKeys, reachBack } from '../leads/rules/dedupe.js';
import type { PingInput } from './rules/auction.js';
import { DEFAULT_PING_SETTINGS } from '../account/rules/pingSettings.js';
import type { Plan } from '../account/rules/plan.js';
import { suppressionKeys } from '../account/rules/suppressionKeys.js';
import type { Turns } from '../routing/rules/turns.js';
import type { Keyring } from '../platform/security/seal.js';
import { buyerCap, campaignCap, supplierCap, type CapStore } from '../routing/store/caps.js';
import type { ClaimRequest, ClaimStore } from '../leads/store/claims.js';
import type { EarlierRequest } from '../leads/store/earlierLeads.js';
import type { DestinationStore } from '../deliveries/store/destinations.js';
import type { SuppressionQuery, SuppressionStore } from '../account/store/suppressions.js';
import type { TurnStore } from '../routing/store/turns.js';
import { hashMd5 } from '../account/suppression/hashMd5.js';
import { getOwn } from '../lib/getOwn.js';

export interface PingContextDeps {
  suppressions: Pick<SuppressionStore, 'hits'>;
  claims: Pick<ClaimStore, 'holders' | 'earlier'>;
  caps: Pick<CapStore, 'read'>;
  destinations: Pick<DestinationStore, 'findOpenUntil'>;
  turns: Pick<TurnStore, 'read'>;
  keyring: Pick<Keyring, 'claimHash'>;
  clock: Clock;
}

/** A ping as it arrived. */
export type ReceivedPing = Pick<PingInput, 'plan' | 'supplier_id' | 'fields' | 'is_test'> & {
  ping_id: string;
};

/** Everything that decides a ping. */
export interface PingContext extends PingInput {
  turns?: Turns;
}

export async function loadPingContext(
  pings: readonly ReceivedPing[],
  now: Date,
  deps: PingContextDeps,
): Promise<PingContext[]> {
  const plans = [...new Set(pings.map(({ plan }) => plan))];
  const live = pings.filter(({ is_test }) => !is_test);
  const [hits, holders, earlier, counted, openUntil, turns] = await Promise.all([
    findHits(pings, deps),
    deps.claims.holders(listClaims(live, deps), now),
    deps.claims.earlier(listEarlierRequests(live, now)),
    deps.caps.read([...new Set(live.flatMap(listCaps))]),
    deps.destinations.findOpenUntil(buyersOf(plans), now),
    deps.turns.read(plans.filter(hasEquals).map(({ campaign_id }) => campaign_id)),
  ]);
  const openUntilById = Object.fromEntries(openUntil);
  const buyers = new Map(plans.map((plan) => [plan, selectCounters(plan, counted)]));
  return pings.map(({ ping_id, ...ping }): PingContext => {
    const { campaign_id } = ping.plan;
    const holder = holders.get(ping_id) ?? earlier.get(ping_id);
    return {
      ...ping,
      now,
      openUntil: openUntilById,
      hits: hits.get(ping_id) ?? [],
      original: holder ? { lead_id: holder._id, buyer_id: holder.buyer_id } : null,
      counters: {
        buyers: buyers.get(ping.plan) ?? {},
        supplier: counted.get(supplierCap(campaign_id, ping.supplier_id)),
        campaign: counted.get(campaignCap(campaign_id)),
      },
      turns: turns.get(campaign_id),
    };
  });
}

function findHits(pings: readonly ReceivedPing[], { suppressions }: PingContextDeps) {
  const queries = pings.flatMap(({ ping_id, plan, fields }): SuppressionQuery[] => {
    const list_ids = (plan.suppression ?? []).map(({ list_id }) => list_id);
    return list_ids.length === 0
      ? []
      : [
          {
            lead_id: ping_id,
            org_id: plan.org_id,
            list_ids,
            keys: suppressionKeys(fields, hashMd5),
          },
        ];
  });
  return suppressions.hits(queries);
}

/** A test lead must not block a real one, nor be blocked by it. */
const listClaims = (live: readonly ReceivedPing[], { keyring }: PingContextDeps): ClaimRequest[] =>
  live.filter(checksDuplicates).flatMap(({ ping_id, plan, fields }) => {
    const { window_days } = plan.dedupe;
    return dedupeKeys(plan.dedupe, fields).map((key) => ({
      claim_id: claimIdOf(plan.campaign_id, key, keyring.claimHash),
      lead_id: ping_id,
      window_days,
    }));
  });

/** Leads that arrived before the dedupe settings were widened make a ping a duplicate without holding a claim. */
const listEarlierRequests = (live: readonly ReceivedPing[], now: Date): EarlierRequest[] =>
  live.filter(checksDuplicates).flatMap(({ ping_id, plan, fields }) => {
    const back = reachBack(plan, fields, now, now);
    const { org_id, campaign_id } = plan;
    return back ? [{ lead_id: ping_id, org_id, campaign_id, ...back }] : [];
  });

const checksDuplicates = ({ plan }: ReceivedPing): boolean =>
  (plan.ping ?? DEFAULT_PING_SETTINGS).check_duplicates;

/** The links that have caps; the others have nothing to count. */
function listCaps({ plan, supplier_id }: ReceivedPing): string[] {
  const { campaign_id } = plan;
  const supplier = getOwn(plan.suppliers, supplier_id);
  return [
    ...(hasCaps(plan.caps) ? [campaignCap(campaign_id)] : []),
    ...(supplier && hasCaps(supplier.caps) ? [supplierCap(campaign_id, supplier_id)] : []),
    ...plan.buyers
      .filter(({ caps }) => hasCaps(caps))
      .map(({ buyer_id }) => buyerCap(campaign_id, buyer_id)),
  ];
}

function selectCounters(
  { campaign_id, buyers }: Plan,
  counted: ReadonlyMap<string, CapState>,
): Record<string, CapState> {
  const states = buyers.flatMap(({ buyer_id }) => {
    const state = counted.get(buyerCap(campaign_id, buyer_id));
    return state ? [[buyer_id, state] as const] : [];
  });
  return Object.fromEntries(states);
}

const buyersOf = (plans: readonly Plan[]): string[] => [
  ...new Set(plans.flatMap(({ buyers }) => buyers.map(({ buyer_id }) => buyer_id))),
];

/** Turns order equal bids, so they matter only between buyers of one priority. */
const hasEquals = ({ buyers }: Plan): boolean =>
  new Set(buyers.map(({ priority }) => priority)).size < buyers.length;
