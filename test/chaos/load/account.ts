/** The account of a run, created by the same code as a customer's, and the facts about it that the checker uses. */
import { accountOf } from '../../support/org.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keyring } from '../../../src/platform/security/seal.js';
import { updateBuyer } from '../../../src/account/buyers/buyers.js';
import { updateSupplierLink } from '../../../src/account/links/supplierLinks.js';
import type { DeliveryInput } from '../../../src/account/buyers/delivery.js';
import { eachLimit, type CapLimits } from '../../../src/account/rules/capLimits.js';
import type { Collections } from '../../../src/app/database.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import {
  buyerName,
  timeoutOf,
  type BuyerSpec,
  type CampaignSpec,
  type CampaignSpecs,
  type SupplierSpec,
} from './campaignSpec.js';
import type { CampaignFacts, SupplierLinkFacts } from '../evidence/evidence.js';
import type { PostedCampaign } from './suppliers/workload.js';

export interface SeededCampaign {
  orgId: string;
  facts: CampaignFacts;
  spec: CampaignSpec;
  suppliers: TestAccount['suppliers'];
}

type Where = { collections: Collections; keyring: Keyring };

/** Leads wait, and are held, for longer than any run. */
const LONG_MS = 6 * 3_600_000;
/** Requests open at once while a buyer's queue is drained. */
export const CONCURRENT_MAX = 20;
const ANSWER_WITHIN_MS = 2_000;

/**
 * @param urlOf where the service sends a buyer's leads
 * @param timeZone of all accounts except those that keep UTC
 */
export async function seedAccount(
  where: Where,
  specs: CampaignSpecs,
  urlOf: (buyer: string) => string,
  timeZone = 'UTC',
): Promise<SeededCampaign[]> {
  const seeded: SeededCampaign[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const zone = spec.keepsUtc ? 'UTC' : timeZone;
    seeded.push(await seedCampaign(where, { name, spec, zone }, urlOf));
  }
  return seeded;
}

/** Repeated until the database has taken it: a change that failed halfway is made again, which changes nothing more. */
export async function setTestMode(
  { collections, keyring }: Where,
  campaigns: readonly SeededCampaign[],
  names: readonly string[],
  test_mode: boolean,
): Promise<void> {
  const buyers = campaigns.flatMap(({ orgId, facts }) =>
    facts.buyers.filter(({ name }) => names.includes(name)).map((one) => ({ ...one, orgId })),
  );
  for (const { orgId, buyer_id } of buyers) {
    for (;;) {
      const change = updateBuyer(accountOf({ collections, keyring }, orgId), buyer_id, {
        test_mode,
      });
      if (
        await change.then(
          () => true,
          () => false,
        )
      )
        break;
      await delay(CHANGE_AGAIN_MS);
    }
  }
}

const CHANGE_AGAIN_MS = 500;

/** The ids and keys that suppliers post with. */
export const postedTo = (campaigns: readonly SeededCampaign[]): PostedCampaign[] =>
  campaigns.map(({ facts, spec, suppliers }) => ({
    campaign_id: facts.campaign_id,
    suppliers,
    weight: spec.weight,
    repeatedWithinMs: spec.repeatedWithinMs,
  }));

async function seedCampaign(
  where: Where,
  { name, spec, zone }: { name: string; spec: CampaignSpec; zone: string },
  urlOf: (buyer: string) => string,
): Promise<SeededCampaign> {
  const account = await createAccount(where, {
    timeZone: zone,
    campaign: {
      name,
      answer_within_ms: ANSWER_WITHIN_MS,
      distribution_method: spec.method,
      max_sells: spec.max_sells,
      dedupe: { fields: spec.dedupe_fields, match: 'ANY', on_duplicate: spec.on_duplicate },
      caps: spec.caps ?? {},
    },
    suppliers: spec.suppliers.length,
    buyers: Object.fromEntries(
      Object.entries(spec.buyers).map(([buyer, one], index) => [
        buyer,
        {
          price: one.price,
          priority: one.priority ?? index + 1,
          weight: one.weight,
          schedule: one.hours?.schedule,
          when_closed: one.when_closed,
          caps: one.caps ?? {},
          delivery: deliveryOf(one, name, buyer, urlOf),
        },
      ]),
    ),
  });
  const org = { org_id: account.orgId, campaign_id: account.campaignId };
  for (const [index, { id }] of account.suppliers.entries()) {
    const { cost, share, caps = {} } = spec.suppliers[index] ?? {};
    const shared = { cost_mode: 'REVENUE_SHARE', revenue_share: share } as const;
    const terms = share === undefined ? { cost_per_lead: cost } : shared;
    const key = { ...org, supplier_id: id };
    await updateSupplierLink(accountOf(where, key.org_id), key, { ...terms, ...caps });
  }
  return {
    spec,
    orgId: account.orgId,
    suppliers: account.suppliers,
    facts: { ...factsOf(name, spec, account), time_zone: zone },
  };
}

const deliveryOf = (
  spec: BuyerSpec,
  campaign: string,
  buyer: string,
  urlOf: (buyer: string) => string,
): DeliveryInput => ({
  url: urlOf(buyerName(campaign, buyer)),
  timeout_ms: timeoutOf(spec),
  honours_idempotency_key: spec.honours,
  on_unknown: spec.on_unknown ?? 'hold',
  hold_max_age_ms: LONG_MS,
  max_age_ms: spec.max_age_ms ?? LONG_MS,
  max_concurrent: CONCURRENT_MAX,
  max_per_second: spec.max_per_second,
  response: spec.says && { price_path: 'price' },
});

/** Taken from the specs, not read back from the record under judgment. */
function factsOf(name: string, spec: CampaignSpec, account: TestAccount): CampaignFacts {
  return {
    campaign_id: account.campaignId,
    name,
    dedupe_fields: spec.dedupe_fields,
    on_duplicate: spec.on_duplicate ?? 'REJECT',
    max_sells: spec.max_sells ?? 1,
    caps: inMicros(spec.caps),
    buyers: Object.entries(spec.buyers).map(([buyer, one]) => ({
      buyer_id: account.buyers[buyer] ?? '',
      name: buyerName(name, buyer),
      honours_idempotency_key: one.honours,
      on_unknown: one.on_unknown ?? 'hold',
      price: micros(one.price),
      names_price: one.says !== undefined,
      hours: one.hours?.spans ?? null,
      caps: inMicros(one.caps),
    })),
    suppliers: spec.suppliers.map((one, index) => ({
      supplier_id: account.suppliers[index]?.id ?? '',
      ...costOf(one),
      caps: inMicros(one.caps),
    })),
  };
}

const costOf = ({
  cost = 0,
  share,
}: SupplierSpec): Omit<SupplierLinkFacts, 'supplier_id' | 'caps'> =>
  share === undefined
    ? { cost_mode: 'FIXED', cost: micros(cost), revenue_share: 0 }
    : { cost_mode: 'REVENUE_SHARE', cost: 0, revenue_share: share };

const micros = (amount: number): number => Math.round(amount * 1_000_000);

const inMicros = (caps: CapLimits = {}): CapLimits => ({
  ...caps,
  ...eachLimit('budget', ({ budget }) => (caps[budget] == null ? null : micros(caps[budget]))),
});
