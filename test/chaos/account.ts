/** The account of a run, made by the same code as a customer's, and the facts of it that the checker goes by. */
import type { Keyring } from '../../src/auth/seal.js';
import { updateSupplierLink } from '../../src/account/supplierLinks.js';
import type { DeliveryInput } from '../../src/account/delivery.js';
import type { CapLimits } from '../../src/domain/plan.js';
import type { Collections } from '../../src/store/collections.js';
import { createAccount, type TestAccount } from '../support/account.js';
import {
  buyerName,
  timeoutOf,
  type BuyerSpec,
  type CampaignSpec,
  type CampaignSpecs,
} from './campaigns.js';
import type { CampaignFacts } from './evidence.js';

export interface SeededCampaign {
  facts: CampaignFacts;
  spec: CampaignSpec;
  suppliers: TestAccount['suppliers'];
}

type Where = { collections: Collections; keyring: Keyring };

/** Leads wait, and held ones are held, for longer than any run. */
const LONG_MS = 6 * 3_600_000;
/** Requests open at once while a buyer's queue is drained. */
export const MAX_CONCURRENT = 20;
const ANSWER_WITHIN_MS = 2_000;

/** @param urlOf where the service sends a buyer's leads */
export async function seedAccount(
  where: Where,
  specs: CampaignSpecs,
  urlOf: (buyer: string) => string,
): Promise<SeededCampaign[]> {
  const seeded: SeededCampaign[] = [];
  for (const [name, spec] of Object.entries(specs)) {
    seeded.push(await seedCampaign(where, name, spec, urlOf));
  }
  return seeded;
}

async function seedCampaign(
  where: Where,
  name: string,
  spec: CampaignSpec,
  urlOf: (buyer: string) => string,
): Promise<SeededCampaign> {
  const account = await createAccount(where, {
    campaign: {
      name,
      answer_within_ms: ANSWER_WITHIN_MS,
      dedupe: { fields: spec.dedupe_fields, match: 'ANY' },
      caps: spec.caps ?? {},
    },
    suppliers: spec.suppliers.length,
    buyers: Object.fromEntries(
      Object.entries(spec.buyers).map(([buyer, one]) => [
        buyer,
        { price: one.price, caps: one.caps ?? {}, delivery: deliveryOf(one, name, buyer, urlOf) },
      ]),
    ),
  });
  const org = { org_id: account.orgId, campaign_id: account.campaignId };
  for (const [index, { id }] of account.suppliers.entries()) {
    const { cost = 0, caps = {} } = spec.suppliers[index] ?? {};
    const key = { ...org, supplier_id: id };
    await updateSupplierLink(where.collections, key, { cost_per_lead: cost, caps });
  }
  return { spec, suppliers: account.suppliers, facts: factsOf(name, spec, account) };
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
  max_age_ms: LONG_MS,
  max_concurrent: MAX_CONCURRENT,
});

/** Said by the specs, and not read back from the record that is to be judged. */
function factsOf(name: string, spec: CampaignSpec, account: TestAccount): CampaignFacts {
  return {
    campaign_id: account.campaignId,
    name,
    dedupe_fields: spec.dedupe_fields,
    caps: inMicros(spec.caps),
    buyers: Object.entries(spec.buyers).map(([buyer, one]) => ({
      buyer_id: account.buyers[buyer] ?? '',
      name: buyerName(name, buyer),
      honours_idempotency_key: one.honours,
      on_unknown: one.on_unknown ?? 'hold',
      price: micros(one.price),
      caps: inMicros(one.caps),
    })),
    suppliers: spec.suppliers.map(({ cost, caps }, index) => ({
      supplier_id: account.suppliers[index]?.id ?? '',
      cost: micros(cost),
      caps: inMicros(caps),
    })),
  };
}

const micros = (amount: number): number => Math.round(amount * 1_000_000);

const inMicros = (caps: CapLimits = {}): CapLimits =>
  Object.fromEntries(
    Object.entries(caps).map(([name, value]: [string, number | null]) => [
      name,
      value !== null && name.endsWith('_budget') ? micros(value) : value,
    ]),
  );
