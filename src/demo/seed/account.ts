/** The records of a seeded account: made once, and found again ever after. */
import { createHash } from 'node:crypto';
import { createBuyer } from '../../account/buyers/buyers.js';
import { createCampaign } from '../../account/campaigns/campaigns.js';
import type { AccountContext } from '../../account/context.js';
import { linkBuyer } from '../../account/links/buyerLinks.js';
import { linkSupplier } from '../../account/links/supplierLinks.js';
import { createOrg } from '../../account/orgs.js';
import type { OrgDoc } from '../../account/store/accountDocs.js';
import type { CampaignDoc } from '../../account/store/campaignDoc.js';
import { createSupplier } from '../../account/suppliers/suppliers.js';
import { findOrCreate } from '../account.js';
import type { SeedBuyer, SeedSupplier, Trade } from './trades.js';

export interface SeededAccount {
  campaign: CampaignDoc;
  /** Ids by the names of the trade. */
  buyers: ReadonlyMap<string, string>;
  suppliers: ReadonlyMap<string, string>;
}

/** So a person tells its records, and those of the demo, from real ones. */
export const demoName = (title: string): string => `Demo: ${title}`;

/** The organization of a trade and a seed, the same in every database: its id begins like that of the demo. */
export function seededOrgId(trade: string, seed: number): string {
  const hex = createHash('sha256').update(`leadwire seed ${trade} ${seed}`).digest('hex');
  return `de300001-${hex.slice(0, 4)}-4${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/** @throws {AppError} when another organization has the id, which none can by chance */
export const ensureSeededOrg = (
  { collections }: Pick<AccountContext, 'collections'>,
  id: string,
  name: string,
): Promise<OrgDoc> =>
  findOrCreate(
    () => collections.orgs.findOne({ _id: id }),
    () => createOrg(collections, { id, name, time_zone: 'America/New_York', currency: 'USD' }),
  );

/** Creates what is missing and leaves what is there as it is. */
export async function ensureSeededAccount(
  account: AccountContext,
  trade: Trade,
): Promise<SeededAccount> {
  const { collections, orgId: org_id } = account;
  const name = demoName(trade.title);
  const campaign = await findOrCreate(
    () => collections.campaigns.findOne({ org_id, name }),
    () =>
      createCampaign(account, {
        name,
        status: 'ACTIVE',
        vertical: trade.vertical,
        fields: [...trade.fields],
        filters: trade.filters,
      }),
  );
  const buyers = new Map<string, string>();
  for (const one of trade.buyers) buyers.set(one.name, await ensureBuyer(account, campaign, one));
  const suppliers = new Map<string, string>();
  for (const one of trade.suppliers)
    suppliers.set(one.name, await ensureSupplier(account, campaign, one));
  return { campaign, buyers, suppliers };
}

async function ensureBuyer(
  account: AccountContext,
  { _id: campaign_id }: CampaignDoc,
  { name: ofTrade, terms }: SeedBuyer,
): Promise<string> {
  const { collections, orgId: org_id } = account;
  const name = demoName(ofTrade);
  const { _id: buyer_id } = await findOrCreate(
    () => collections.buyers.findOne({ org_id, name }),
    async () => (await createBuyer(account, { name, delivery: { url: buyerUrl(ofTrade) } })).buyer,
  );
  const link = { campaign_id, buyer_id };
  await findOrCreate(
    () => collections.campaignBuyers.findOne(link),
    () => linkBuyer(account, link, terms),
  );
  return buyer_id;
}

/** An address that nobody can have (RFC 2606): a lead that is sent to it later waits, and is then expired. */
export const buyerUrl = (name: string): string =>
  `https://${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example/leads`;

async function ensureSupplier(
  account: AccountContext,
  { _id: campaign_id }: CampaignDoc,
  { name: ofTrade, terms }: SeedSupplier,
): Promise<string> {
  const { collections, orgId: org_id } = account;
  const name = demoName(ofTrade);
  const { _id: supplier_id } = await findOrCreate(
    () => collections.suppliers.findOne({ org_id, name }),
    async () => (await createSupplier(account, { name })).supplier,
  );
  const link = { campaign_id, supplier_id };
  await findOrCreate(
    () => collections.campaignSuppliers.findOne(link),
    () => linkSupplier(account, link, terms),
  );
  return supplier_id;
}
