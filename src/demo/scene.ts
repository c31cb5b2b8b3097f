/**
 * What a person finds who opens the console of the demo for the first time: a week of leads, and today some that were not
 * sold because a buyer's cap is full.
 */
import { v7 } from 'uuid';
import type { AccountContext } from '../account/context.js';
import { createCampaign } from '../account/campaigns/campaigns.js';
import { linkBuyer } from '../account/links/buyerLinks.js';
import { linkSupplier } from '../account/links/supplierLinks.js';
import type { CampaignDoc } from '../account/store/campaignDoc.js';
import type { ActionCollections } from '../api/actions/action.js';
import { startOfDay } from '../fields/days.js';
import { windowKeys } from '../fields/windowKeys.js';
import { findOrCreate, type DemoAccount } from './account.js';
import { DEMO_CAPPED, DEMO_ORG_ID, DEMO_ZONE } from './names.js';
import { demoName } from './seed/account.js';
import { createPast } from './seed/distribute.js';
import { seedAccount, type SeedDeps } from './seed/seed.js';
import { TRADES } from './seed/trades.js';

export interface SceneDeps extends SeedDeps {
  collections: ActionCollections;
}

export interface SceneOptions {
  onLead?: (done: number, total: number) => void;
  isStopped?: () => boolean;
}

/** The trade, and the seed, of the week. */
const WEEK = { trade: 'solar', seed: 1 } as const;
/** Leads of a day that the capped buyer takes, and those that come. */
const CAP = 3;
const VISITORS = ['Maya Stone', 'Leo Park', 'Nina Cole', 'Owen Marsh', 'Ruth Vega'];
const APART_MS = 20_000;

/** Adds what is missing. Leads that are there stay as they are, and so does what somebody has changed. */
export async function ensureDemoScene(
  deps: SceneDeps,
  account: DemoAccount,
  options: SceneOptions = {},
): Promise<void> {
  if (await mayHaveWeek(deps)) {
    await seedAccount(deps, { ...WEEK, orgId: DEMO_ORG_ID, force: true, ...options });
  }
  if (options.isStopped?.() !== true) await fillCap(deps, account);
}

/** A week begun is completed; where somebody has sent leads before there was one, none is made up. */
async function mayHaveWeek({
  collections: { campaigns, leads },
}: Pick<SceneDeps, 'collections'>): Promise<boolean> {
  const projection = { _id: 1 };
  const name = demoName(TRADES[WEEK.trade].title);
  const begun = await campaigns.findOne({ org_id: DEMO_ORG_ID, name }, { projection });
  return begun !== null || (await leads.findOne({ org_id: DEMO_ORG_ID }, { projection })) === null;
}

/** Leads of today, decided by the service's own code as the seed's are; a start on another day adds those of that day. */
async function fillCap(deps: SceneDeps, { suppliers, buyers }: DemoAccount): Promise<void> {
  const { collections, keyring, clock } = deps;
  const account: AccountContext = { ...deps, orgId: DEMO_ORG_ID };
  const supplierId = suppliers.web.id;
  const campaign = await ensureCapped(account, { buyerId: buyers.premier.id, supplierId });
  const now = clock.now();
  const start = startOfDay(windowKeys(now, DEMO_ZONE).day, DEMO_ZONE);
  const { _id: campaign_id } = campaign;
  const today = { org_id: DEMO_ORG_ID, campaign_id, created_at: { $gte: start } };
  if (await collections.leads.findOne(today, { projection: { _id: 1 } })) return;
  const past = createPast({ collections, keyring }, DEMO_ORG_ID, () => ({
    kind: 'answered',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: '{"accepted":true}',
  }));
  for (const [n, visitor] of VISITORS.entries()) {
    const at = new Date(Math.max(Number(start), Number(now) - (VISITORS.length - n) * APART_MS));
    await past.decide({
      id: v7({ msecs: Number(at) }),
      at,
      supplierId,
      body: {
        flo_campaign_id: campaign_id,
        flo_supplier_id: supplierId,
        ...detailsOf(visitor, n, now),
      },
    });
  }
}

async function ensureCapped(
  account: AccountContext,
  { buyerId: buyer_id, supplierId: supplier_id }: { buyerId: string; supplierId: string },
): Promise<CampaignDoc> {
  const { collections } = account;
  const campaign = await findOrCreate(
    () => collections.campaigns.findOne({ org_id: DEMO_ORG_ID, name: DEMO_CAPPED }),
    () => createCampaign(account, { name: DEMO_CAPPED, status: 'ACTIVE' }),
  );
  const { _id: campaign_id } = campaign;
  const ofBuyer = { campaign_id, buyer_id };
  const terms = { price: 42.5, priority: 1, daily_cap: CAP };
  const ofSupplier = { campaign_id, supplier_id };
  await findOrCreate(
    () => collections.campaignBuyers.findOne(ofBuyer),
    () => linkBuyer(account, ofBuyer, terms),
  );
  await findOrCreate(
    () => collections.campaignSuppliers.findOne(ofSupplier),
    () => linkSupplier(account, ofSupplier, { cost_mode: 'FIXED', cost_per_lead: 4 }),
  );
  return campaign;
}

/** Phones and emails that no other day has. */
function detailsOf(visitor: string, n: number, now: Date) {
  const [first_name = '', last_name = ''] = visitor.split(' ');
  const digits = String(Math.floor(Number(now) / 1_000)).slice(-7);
  return {
    first_name,
    last_name,
    phone: `21${n}${digits}`,
    email: `${first_name}.${last_name}.${digits}@example.com`.toLowerCase(),
    state: 'CA',
  };
}
