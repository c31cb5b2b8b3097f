/** The names shown with posts: of campaigns, and of buyers where the operator shows them. */
import type { z } from 'zod';
import type { PortalSettings } from '../../../portal/settingsSchema.js';
import { readNames } from '../../actions/recordNames.js';
import type { PartnerContext } from '../call.js';
import type { SupplierPost } from '../schemas/supplierPosts.js';
import { readCampaignNames } from './links.js';

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
  const { collections, org_id, settings } = context;
  const [campaign, buyers] = await Promise.all([
    readCampaignNames(context, campaignIds),
    settings.show_buyer_names
      ? readNames(collections.buyers, buyerIds, org_id)
      : new Map<string, string>(),
  ]);
  return { campaign, buyer: (id) => buyers.get(id ?? '') ?? null };
}
