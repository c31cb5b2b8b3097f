/** The accounts of the whole installation, for those who watch it: organizations, what has caps, and names. */
import type { Collection, Document } from 'mongodb';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { OrgDoc } from './accountDocs.js';
import { hasCaps, type CapLimits, type CapScope } from '../rules/capLimits.js';
import type { AccountCollections } from './collections.js';

export type WatchedOrg = Pick<OrgDoc, '_id' | 'time_zone' | 'currency'>;

/** The organizations, and how many are left out past `limit`. */
export async function listOrgs(
  orgs: Collection<OrgDoc>,
  limit: number,
): Promise<{ orgs: Map<string, WatchedOrg>; leftOut: number }> {
  const found = await orgs
    .find<WatchedOrg>({}, { projection: { time_zone: 1, currency: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  const all = found.length < limit ? found.length : await orgs.estimatedDocumentCount();
  const byId = new Map(found.map((org) => [org._id, org]));
  return { orgs: byId, leftOut: Math.max(0, all - found.length) };
}

export interface Capped {
  scope: CapScope;
  org_id: string;
  campaign_id: string;
  buyer_id?: string;
  supplier_id?: string;
  caps: CapLimits;
}

export interface CappedLimits {
  campaignsMax: number;
  /** Links of buyers, and as many of suppliers. */
  linksMax: number;
}

type Collections = Pick<AccountCollections, 'campaigns' | 'campaignBuyers' | 'campaignSuppliers'>;

/** What has caps in the active campaigns of these organizations: campaigns, and links that are not paused. */
export async function findCapped(
  { campaigns, campaignBuyers, campaignSuppliers }: Collections,
  orgIds: readonly string[],
  { campaignsMax, linksMax }: CappedLimits,
): Promise<Capped[]> {
  if (orgIds.length === 0) return [];
  const active = await campaigns
    .find(
      { org_id: { $in: [...orgIds] }, status: 'ACTIVE' },
      { projection: { org_id: 1, caps: 1 } },
    )
    .limit(campaignsMax)
    .toArray();
  const links = { campaign_id: { $in: active.map(({ _id }) => _id) } };
  const projection = { org_id: 1, campaign_id: 1, caps: 1, status: 1 };
  const [buyers, suppliers] = await Promise.all([
    campaignBuyers
      .find(links, { projection: { ...projection, buyer_id: 1 } })
      .limit(linksMax)
      .toArray(),
    campaignSuppliers
      .find(links, { projection: { ...projection, supplier_id: 1 } })
      .limit(linksMax)
      .toArray(),
  ]);
  const all: Capped[] = [
    ...active.map(({ _id, org_id, caps }) => ({
      scope: 'campaign' as const,
      org_id,
      campaign_id: _id,
      caps,
    })),
    ...buyers.filter(isActive).map((link) => ({ scope: 'buyer' as const, ...partOf(link) })),
    ...suppliers.filter(isActive).map((link) => ({ scope: 'supplier' as const, ...partOf(link) })),
  ];
  return all.filter(({ caps }) => hasCaps(caps));
}

const isActive = ({ status }: { status: string }): boolean => status === 'active';

const partOf = ({ org_id, campaign_id, buyer_id, supplier_id, caps }: Omit<Capped, 'scope'>) => ({
  org_id,
  campaign_id,
  ...(buyer_id === undefined ? {} : { buyer_id }),
  ...(supplier_id === undefined ? {} : { supplier_id }),
  caps,
});

/** The names of the records with these ids; ids of others are left out. */
export async function findNames<T extends Document & { _id: string; name: string }>(
  records: Collection<T>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await findByIds<T, Pick<T, 'name'>>(records, ids, { projection: { name: 1 } });
  return new Map([...found].map(([id, { name }]) => [id, name]));
}
