/** An organization as large as its operators know them: campaigns, and buyers and suppliers that share them. */
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { storeCampaign } from '../../../src/account/campaigns/campaigns.js';
import type { AccountContext } from '../../../src/account/context.js';
import { storeBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { storeSupplierLink } from '../../../src/account/links/supplierLinks.js';
import { createOrg } from '../../../src/account/orgs.js';
import { publishCampaign } from '../../../src/account/plans/publish.js';
import { markPublished } from '../../../src/account/plans/unpublished.js';
import { createSupplier } from '../../../src/account/suppliers/suppliers.js';
import type { TestAccount } from '../../support/account.js';
import { accountOf, TEST_ZONE } from '../../support/org.js';
import type { Bench } from '../bench.js';

const CAMPAIGNS = 20;
const BUYERS = 100;
const SUPPLIERS = 30;
/** Of a campaign but the first, which has all of them. */
const BUYERS_OF_CAMPAIGN = 10;
const SUPPLIERS_OF_CAMPAIGN = 6;
/** Buyers of a campaign take leads of these states, and of no other. */
export const TAKEN_STATES = ['CA', 'TX', 'NY', 'FL'];
/** Every so many buyers one refuses what it gets, and another is passed over. */
const REFUSES_EVERY = 10;
const PLENTY = { per_second: 5_000, burst_per_second: 10_000, burst_seconds: 10 };

export interface ScreensAccount {
  orgId: string;
  timeZone: string;
  /** Each with its own suppliers and buyers; the first has all of them, and limits on every link. */
  campaigns: TestAccount[];
}

interface Party {
  id: string;
  name: string;
}

export async function createScreensAccount(bench: Bench): Promise<ScreensAccount> {
  const { collections, keyring } = bench;
  const org = await createOrg(collections, { name: 'A million leads', time_zone: TEST_ZONE });
  const account = accountOf({ collections, keyring }, org._id);
  const buyers: Party[] = [];
  for (let n = 0; n < BUYERS; n += 1) buyers.push(await makeBuyer(account, bench.buyers.url, n));
  const suppliers: (Party & { key: string })[] = [];
  for (let n = 0; n < SUPPLIERS; n += 1) {
    const name = `Supplier ${n + 1}`;
    const { supplier, api_key } = await createSupplier(account, { name, rate_limit: PLENTY });
    suppliers.push({ id: supplier._id, name, key: api_key });
  }
  const campaigns: TestAccount[] = [];
  for (let n = 0; n < CAMPAIGNS; n += 1)
    campaigns.push(
      await makeCampaign(account, n, {
        buyers: n === 0 ? buyers : some(buyers, n, BUYERS_OF_CAMPAIGN),
        suppliers: n === 0 ? suppliers : some(suppliers, n, SUPPLIERS_OF_CAMPAIGN),
      }),
    );
  return { orgId: org._id, timeZone: TEST_ZONE, campaigns };
}

/** So many of a list, in turn from campaign to campaign. */
const some = <T>(all: readonly T[], nth: number, count: number): T[] =>
  Array.from({ length: count }, (_, n) => all[(nth * count + n) % all.length] as T);

async function makeBuyer(account: AccountContext, url: string, n: number): Promise<Party> {
  const name = `Buyer ${n + 1}`;
  const path = n % REFUSES_EVERY === REFUSES_EVERY - 1 ? '/status/422' : `/fast/${n}`;
  const { buyer } = await createBuyer(account, { name, delivery: { url: `${url}${path}` } });
  return { id: buyer._id, name };
}

async function makeCampaign(
  account: AccountContext,
  n: number,
  { buyers, suppliers }: { buyers: Party[]; suppliers: (Party & { key: string })[] },
): Promise<TestAccount> {
  const { collections, orgId } = account;
  const { campaign, unpublished } = await storeCampaign(account, {
    name: `Campaign ${n + 1}`,
    status: 'ACTIVE',
    distribution_method: 'ROUND_ROBIN',
  });
  const ids = { org_id: orgId, campaign_id: campaign._id };
  const published = [() => markPublished(collections.campaigns, campaign._id, unpublished)];
  const limits = n === 0 ? { daily_cap: 100_000, monthly_cap: 2_000_000 } : {};
  for (const [priority, { id: buyer_id }] of buyers.entries()) {
    const terms = { price: 10 + (priority % 7), priority: priority + 1, states: TAKEN_STATES };
    const link = await storeBuyerLink(account, { ...ids, buyer_id }, { ...terms, ...limits });
    published.push(() =>
      markPublished(collections.campaignBuyers, link.link._id, link.unpublished),
    );
  }
  for (const { id: supplier_id } of suppliers) {
    const terms = { cost_per_lead: 4, ...limits };
    const link = await storeSupplierLink(account, { ...ids, supplier_id }, terms);
    published.push(() =>
      markPublished(collections.campaignSuppliers, link.link._id, link.unpublished),
    );
  }
  await publishCampaign({ collections }, campaign._id);
  for (const mark of published) await mark();
  return {
    orgId,
    campaignId: campaign._id,
    suppliers: suppliers.map(({ id, key }) => ({ id, key })),
    buyers: Object.fromEntries(buyers.map(({ id, name }) => [name, id])),
  };
}
