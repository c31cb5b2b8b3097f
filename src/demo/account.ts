/** The demo account: created once per database, found again ever after. */
import { supplierKeyPlace, webhookSecretPlace } from '../account/rules/sealedPlaces.js';
import type { AccountContext } from '../account/context.js';
import { linkBuyer } from '../account/links/buyerLinks.js';
import type { BuyerPingInput } from '../account/buyers/buyerPing.js';
import { createBuyer, updateBuyer } from '../account/buyers/buyers.js';
import {
  createCampaign,
  updateCampaign,
  type CampaignInput,
} from '../account/campaigns/campaigns.js';
import { createOrgKey, isKeyKept, permissionsOf } from '../account/keys/keys.js';
import { createOrg } from '../account/orgs.js';
import { linkSupplier, updateSupplierLink } from '../account/links/supplierLinks.js';
import { activateSupplierKey, createSupplier } from '../account/suppliers/suppliers.js';
import { systemClock } from '../lib/clock.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { BuyerDoc } from '../account/store/accountDocs.js';
import { DEMO_BUYERS, type DemoBuyerName } from './buyerRules.js';
import {
  DEMO_BUYER_NAMES,
  DEMO_CAMPAIGNS,
  DEMO_ORG_ID,
  DEMO_SUPPLIERS,
  DEMO_ZONE,
  type DemoCampaignKey,
  type DemoSupplierKey,
} from './names.js';
import {
  BUYER_LINKS,
  CAMPAIGNS,
  PING_TIMEOUT_MS,
  PINGED_BUYER,
  PINGED_FIELDS,
  SUPPLIER_LINKS,
} from './terms.js';

export interface DemoAccount {
  org_id: string;
  currency: string;
  org_api_key: string;
  read_only_api_key: string;
  suppliers: Record<DemoSupplierKey, { id: string; api_key: string }>;
  campaigns: Record<DemoCampaignKey, string>;
  buyers: Record<DemoBuyerName, { id: string; webhook_secret: string }>;
}

export interface DemoAccountDeps extends Pick<AccountContext, 'keyring' | 'policy'> {
  collections: AccountCollections;
}

/** Organization keys cannot be read back from the database; those of the last start are handed in. */
export type KnownKeys = Pick<DemoAccount, 'org_api_key' | 'read_only_api_key'>;

/**
 * Creates what is missing and leaves what is there as it is, but for the addresses of the demo buyers, which
 * follow the demo buyer of this start.
 */
export async function ensureDemoAccount(
  deps: DemoAccountDeps,
  buyerUrl: (name: DemoBuyerName) => string,
  known: KnownKeys | null,
): Promise<DemoAccount> {
  const { collections } = deps;
  const account = { ...deps, orgId: DEMO_ORG_ID, clock: systemClock };
  const org = await findOrCreate(
    () => collections.orgs.findOne({ _id: DEMO_ORG_ID }),
    () =>
      createOrg(collections, {
        id: DEMO_ORG_ID,
        name: 'Leadwire Demo',
        time_zone: DEMO_ZONE,
        currency: 'USD',
      }),
  );
  const buyers = await eachKey(DEMO_BUYER_NAMES, (key) => ensureBuyer(account, key, buyerUrl(key)));
  const suppliers = await eachKey(DEMO_SUPPLIERS, (key) => ensureSupplier(account, key));
  const campaigns = await eachKey(DEMO_CAMPAIGNS, (key) =>
    ensureCampaign(account, key, CAMPAIGNS[key]),
  );
  for (const key of keysOf(DEMO_CAMPAIGNS)) {
    const campaign_id = campaigns[key];
    for (const [name, terms] of termsOf(BUYER_LINKS[key])) {
      const link = { campaign_id, buyer_id: buyers[name].id };
      const found = await collections.campaignBuyers.findOne(link);
      if (!found) await linkBuyer(account, link, terms);
    }
    for (const [name, terms] of termsOf(SUPPLIER_LINKS[key])) {
      const link = { campaign_id, supplier_id: suppliers[name].id };
      const found = await collections.campaignSuppliers.findOne(link);
      if (!found) await linkSupplier(account, link, terms);
    }
  }
  return {
    org_id: org._id,
    currency: org.currency,
    org_api_key: await ensureOrgKey(account, known?.org_api_key, 'everything', 'write'),
    read_only_api_key: await ensureOrgKey(account, known?.read_only_api_key, 'read only', 'read'),
    suppliers,
    campaigns,
    buyers,
  };
}

/** The port the demo buyer had at the last start; parked leads still name it. 0: there was none. */
export async function lastDemoBuyerPort(collections: AccountCollections): Promise<number> {
  const buyer = await findBuyerByName(collections, DEMO_BUYERS[0]);
  return buyer ? Number(new URL(urlOf(buyer)).port) : 0;
}

/** The demo buyers take leads at an address, whatever else an operator has tried with them since. */
const urlOf = ({ delivery }: BuyerDoc): string =>
  delivery.method === 'WEBHOOK' ? delivery.url : 'http://127.0.0.1:0';

const findBuyerByName = (
  { buyers }: Pick<AccountCollections, 'buyers'>,
  name: DemoBuyerName,
): Promise<BuyerDoc | null> =>
  buyers.findOne({ org_id: DEMO_ORG_ID, name: DEMO_BUYER_NAMES[name] });

async function ensureBuyer(
  account: AccountContext,
  key: DemoBuyerName,
  url: string,
): Promise<{ id: string; webhook_secret: string }> {
  const buyer = await findOrCreate(
    () => findBuyerByName(account.collections, key),
    async () => {
      const delivery = { url, honours_idempotency_key: true };
      return (await createBuyer(account, { name: DEMO_BUYER_NAMES[key], delivery })).buyer;
    },
  );
  const moved = buyer.delivery.method === 'WEBHOOK' && buyer.delivery.url !== url;
  const ping = key === PINGED_BUYER ? changedPing(buyer, `${url}/ping`) : null;
  if (moved || ping) {
    // Another port is another origin: headers that an operator tried stay behind.
    const delivery = moved ? { url, headers: {} } : undefined;
    await updateBuyer(account, buyer._id, { delivery, ping: ping ?? undefined });
  }
  return {
    id: buyer._id,
    webhook_secret: account.keyring.open(buyer.webhook_secret, webhookSecretPlace(buyer._id)),
  };
}

/** The ping settings to change; null: none. */
function changedPing({ ping }: BuyerDoc, url: string): BuyerPingInput | null {
  if (!ping) return { url, fields: [...PINGED_FIELDS], timeout_ms: PING_TIMEOUT_MS };
  return ping.url === url ? null : { url, headers: {} };
}

async function ensureSupplier(
  account: AccountContext,
  key: DemoSupplierKey,
): Promise<{ id: string; api_key: string }> {
  const { collections, keyring } = account;
  const name = DEMO_SUPPLIERS[key];
  const supplier = await findOrCreate(
    () => collections.suppliers.findOne({ org_id: DEMO_ORG_ID, name }),
    async () => (await createSupplier(account, { name })).supplier,
  );
  const apiKey = keyring.open(supplier.api_key, supplierKeyPlace(supplier._id));
  await activateSupplierKey(account, supplier, apiKey);
  return { id: supplier._id, api_key: apiKey };
}

async function ensureCampaign(
  account: AccountContext,
  key: DemoCampaignKey,
  input: Omit<CampaignInput, 'name'>,
): Promise<string> {
  const name = DEMO_CAMPAIGNS[key];
  const campaign = await findOrCreate(
    () => account.collections.campaigns.findOne({ org_id: DEMO_ORG_ID, name }),
    () => createCampaign(account, { name, ...input }),
  );
  if (input.ping && !campaign.ping) await beginPingPost(account, campaign._id, input.ping);
  return campaign._id;
}

/** A demo account from before there was ping-post gets the terms of a new one. */
async function beginPingPost(
  account: AccountContext,
  campaignId: string,
  ping: NonNullable<CampaignInput['ping']>,
): Promise<void> {
  const { collections } = account;
  const links = await collections.campaignSuppliers.find({ campaign_id: campaignId }).toArray();
  for (const { supplier_id } of links) {
    const supplier = await collections.suppliers.findOne({ _id: supplier_id });
    const key = keysOf(DEMO_SUPPLIERS).find((one) => DEMO_SUPPLIERS[one] === supplier?.name);
    const place = { campaign_id: campaignId, supplier_id };
    if (key) await updateSupplierLink(account, place, SUPPLIER_LINKS.pingPost[key]);
  }
  await updateCampaign(account, campaignId, { ping });
}

async function ensureOrgKey(
  account: AccountContext,
  known: string | undefined,
  title: string,
  access: 'read' | 'write',
): Promise<string> {
  if (known !== undefined && (await isKeyKept(account, known))) return known;
  const created_by = { kind: 'operator', name: 'leadwire up --demo' } as const;
  const key = { name: `Demo: ${title}`, permissions: permissionsOf(access), created_by };
  return (await createOrgKey(account, key)).api_key;
}

/** When another process creates it at the same moment, its record is the one. */
export async function findOrCreate<T>(
  find: () => Promise<T | null>,
  create: () => Promise<T>,
): Promise<T> {
  const found = await find();
  if (found) return found;
  try {
    return await create();
  } catch (error) {
    const made = await find();
    if (made) return made;
    throw error;
  }
}

async function eachKey<K extends string, T>(
  from: Record<K, unknown>,
  make: (key: K) => Promise<T>,
): Promise<Record<K, T>> {
  const entries: [K, T][] = [];
  for (const key of keysOf(from)) entries.push([key, await make(key)]);
  return Object.fromEntries(entries) as Record<K, T>;
}

const keysOf = <K extends string>(from: Record<K, unknown>): K[] => Object.keys(from) as K[];

const termsOf = <K extends string, T>(links: Partial<Record<K, T>>): [K, T][] =>
  Object.entries(links) as [K, T][];
