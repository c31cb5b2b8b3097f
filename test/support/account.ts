/** An account in the test's database: one campaign, its suppliers and buyers. */
import { storeBuyerLink, type BuyerLinkInput } from '../../src/account/links/buyerLinks.js';
import type { CapInput } from '../../src/account/capsSchema.js';
import { createBuyer } from '../../src/account/buyers/buyers.js';
import { storeCampaign, type CampaignInput } from '../../src/account/campaigns/campaigns.js';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { createOrg } from '../../src/account/orgs.js';
import {
  storeSupplierLink,
  type SupplierLinkInput,
} from '../../src/account/links/supplierLinks.js';
import { publishCampaign } from '../../src/account/plans/publish.js';
import { markPublished } from '../../src/account/plans/unpublished.js';
import { createSupplier } from '../../src/account/suppliers/suppliers.js';
import type { Keyring } from '../../src/platform/security/seal.js';
import type { Collections } from '../../src/app/database.js';
import type { RateLimit } from '../../src/platform/rateLimits/store/rateDoc.js';
import { accountOf, TEST_ZONE } from './org.js';

export interface AccountSpec {
  /** Default: that of all tests, `TEST_ZONE`. */
  timeZone?: string;
  campaign?: Partial<CampaignInput> & Capped;
  /** By name; default priority: this order. */
  buyers: Record<string, BuyerLinkInput & Capped & { delivery: DeliveryInput }>;
  suppliers?: number;
  supplier?: SupplierLinkInput & Capped & { rate_limit?: Partial<RateLimit> };
}

/** Limits may be written together. */
interface Capped {
  caps?: CapInput;
}

const flat = <T extends Capped>({ caps, ...others }: T) => ({ ...others, ...caps });

export interface TestAccount {
  orgId: string;
  campaignId: string;
  suppliers: { id: string; key: string }[];
  /** Ids by name. */
  buyers: Record<string, string>;
}

/** High enough for any test that is not about the limit. */
const PLENTY: RateLimit = { per_second: 5_000, burst_per_second: 10_000, burst_seconds: 10 };

let made = 0;

/** Its plan has version 1: everything is stored as the service stores it, and published once, when all is there. */
export async function createAccount(
  { collections, keyring }: { collections: Collections; keyring: Keyring },
  spec: AccountSpec,
): Promise<TestAccount> {
  const { campaigns, campaignBuyers, campaignSuppliers } = collections;
  const org = await createOrg(collections, {
    name: `Org ${++made}`,
    time_zone: spec.timeZone ?? TEST_ZONE,
  });
  const { campaign, unpublished } = await storeCampaign(accountOf({ collections }, org._id), {
    name: 'Campaign',
    status: 'ACTIVE',
    ...flat(spec.campaign ?? {}),
  });
  const published = [() => markPublished(campaigns, campaign._id, unpublished)];
  const ids = { org_id: org._id, campaign_id: campaign._id };
  const buyers: Record<string, string> = {};
  for (const [index, [name, { delivery, ...terms }]] of Object.entries(spec.buyers).entries()) {
    const { buyer } = await createBuyer(accountOf({ collections, keyring }, org._id), {
      name,
      delivery,
    });
    buyers[name] = buyer._id;
    const { link, unpublished } = await storeBuyerLink(
      accountOf({ collections }, ids.org_id),
      { ...ids, buyer_id: buyer._id },
      { price: 10, priority: index + 1, ...flat(terms) },
    );
    published.push(() => markPublished(campaignBuyers, link._id, unpublished));
  }
  const { rate_limit = PLENTY, ...terms } = spec.supplier ?? {};
  const suppliers: TestAccount['suppliers'] = [];
  for (let n = 1; n <= (spec.suppliers ?? 1); n++) {
    const created = await createSupplier(accountOf({ collections, keyring }, org._id), {
      name: `Supplier ${n}`,
      rate_limit,
    });
    suppliers.push({ id: created.supplier._id, key: created.api_key });
    const { link, unpublished } = await storeSupplierLink(
      accountOf({ collections }, ids.org_id),
      { ...ids, supplier_id: created.supplier._id },
      { cost_per_lead: 4, ...flat(terms) },
    );
    published.push(() => markPublished(campaignSuppliers, link._id, unpublished));
  }
  await publishCampaign({ collections }, campaign._id);
  for (const mark of published) await mark();
  return { orgId: org._id, campaignId: campaign._id, suppliers, buyers };
}
