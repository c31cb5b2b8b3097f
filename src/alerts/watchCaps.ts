/** Limits of which four fifths are used: told once for each window, and again where the limit was changed. */
import { createHash } from 'node:crypto';
import { hasCaps } from '../account/rules/capLimits.js';
import type { Plan } from '../account/rules/plan.js';
import type { CapAlert } from '../events/rules/alertData.js';
import { chunks } from '../lib/chunks.js';
import { buyerCap, campaignCap, supplierCap } from '../routing/store/caps.js';
import type { AlertDeps } from './deps.js';
import { findNearlyFull, type NearlyFull, type OwnedCaps } from './rules/nearlyFull.js';
import { createAlertStore, type Raised } from './store/alerts.js';

/** Counters that are read together. */
const READ_MAX = 500;
const DAY_MS = 86_400_000;
const NEVER = new Date(0);

type Owner = Pick<OwnedCaps, 'scope' | 'limits'> & {
  /** Of its counters. */
  id: string;
  plan: Plan;
  of: Pick<CapAlert, 'buyer_id' | 'buyer_name' | 'supplier_id' | 'supplier_name'>;
};

export async function watchCaps(plans: readonly Plan[], deps: AlertDeps): Promise<void> {
  const now = deps.clock.now();
  const store = createAlertStore(deps.collections.alerts);
  for (const owners of chunks(plans.flatMap(ownersOf), READ_MAX)) {
    const counted = await deps.caps.read(owners.map(({ id }) => id));
    const raised = owners.flatMap((owner) => {
      const at = { now, timeZone: owner.plan.time_zone };
      const found = findNearlyFull({ ...owner, counters: counted.get(owner.id) }, at);
      return found.map((one) => alertOf(owner, one));
    });
    const known = await store.get(raised.map(({ id }) => id));
    for (const one of raised) if (!known.has(one.id)) await store.raise(one, now, NEVER);
  }
}

/** The limit and its window, shortened: ids of events are given to actions, which take a hundred characters. */
const capAlertId = (capId: string, key: string): string =>
  `cap:${createHash('sha256').update(`${capId}:${key}`).digest('hex').slice(0, 32)}`;

/** Whoever is active and has a limit: the campaign, its buyers, its suppliers. */
function ownersOf(plan: Plan): Owner[] {
  const { campaign_id } = plan;
  const nobody = { buyer_id: null, buyer_name: null, supplier_id: null, supplier_name: null };
  const owners: Owner[] = [
    { scope: 'campaign', id: campaignCap(campaign_id), limits: plan.caps, plan, of: nobody },
  ];
  for (const { status, buyer_id, name: buyer_name, caps: limits } of plan.buyers) {
    const of = { ...nobody, buyer_id, buyer_name };
    const id = buyerCap(campaign_id, buyer_id);
    if (status === 'active') owners.push({ scope: 'buyer', id, limits, plan, of });
  }
  for (const { status, supplier_id, name, caps: limits } of Object.values(plan.suppliers)) {
    const of = { ...nobody, supplier_id, supplier_name: name ?? null };
    const id = supplierCap(campaign_id, supplier_id);
    if (status === 'active') owners.push({ scope: 'supplier', id, limits, plan, of });
  }
  return owners.filter(({ limits }) => hasCaps(limits));
}

function alertOf({ id, plan, of }: Owner, { key, ...cap }: NearlyFull): Raised {
  const { window, of: unit, limit, used, resets_at } = cap;
  const { campaign_id, name: campaign_name, org_id } = plan;
  const data: CapAlert = {
    campaign_id,
    campaign_name,
    ...of,
    window,
    of: unit,
    limit,
    used,
    resets_at: resets_at?.toISOString() ?? null,
  };
  return {
    id: capAlertId(id, key),
    org_id,
    kind: 'cap',
    event: { type: 'cap.nearly_full', data },
    kept_until: resets_at ? new Date(Number(resets_at) + DAY_MS) : undefined,
  };
}
