/** The names shown with posts: of campaigns, and of buyers where the operator shows them. */
import type { z } from 'zod';
import type { PortalSettings } from '../../../portal/settingsSchema.js';
import type { PartnerContext } from '../call.js';
import type { SupplierPost } from '../schemas/supplierPosts.js';
import { campaignNames } from './links.js';

export type SupplierPostRow = z.input<typeof SupplierPost>;
export type PostSettings = Pick<PortalSettings, 'show_buyer_names' | 'show_prices' | 'fields'>;

export interface PostNames {
  campaign(id: string): { id: string; name: string };
  /** Null: it has none, or it is not shown. */
  buyer(id: string | null | undefined): string | null;
}

export async function readPostNames(
  context: PartnerContext,
  { campaignIds, buyerIds }: { campaignIds: readonly string[]; buyerIds: readonly string[] },
): Promise<PostNames> {
  const [campaign, buyers] = await Promise.all([
    campaignNames(context, campaignIds),
    readBuyers(context, buyerIds),
  ]);
  return { campaign, buyer: (id) => buyers.get(id ?? '') ?? null };
}

async function readBuyers(
  { collections, org_id, settings }: PartnerContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!settings.show_buyer_names || ids.length === 0) return new Map();
  const found = await collections.buyers
    .find({ _id: { $in: [...new Set(ids)] }, org_id }, { projection: { name: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name }) => [_id, name]));
}
