/** Which of its campaigns a partner is shown: the same rule for buyers and suppliers. */
import type { Collection, Filter } from 'mongodb';
import { BY_AGE } from '../../account/store/accountDocs.js';
import { linkId } from '../../account/links/storeLink.js';
import type { PartnerContext } from './call.js';

type Context = Pick<PartnerContext, 'collections' | 'org_id' | 'party_id'>;

interface Link {
  _id: string;
  org_id: string;
  campaign_id: string;
}

/** The links of one partner: the collection, and the filter that selects them. */
export interface OwnLinks<T extends Link> {
  links: Collection<T>;
  own: Filter<T>;
}

/** Maximum campaigns of a partner; the others are left out, the oldest first. */
export const CAMPAIGNS_MAX = 500;

/**
 * Ids of the campaigns, newest first. Links have no date, so the order, and what is left out, comes from the campaigns.
 * @param which `open`: archived campaigns are left out, and do not count
 */
export async function newestCampaigns<T extends Link>(
  { links, own }: OwnLinks<T>,
  { collections, org_id }: Context,
  which: 'open' | 'all',
): Promise<string[]> {
  const linked = await links.find(own).project<Link>({ campaign_id: 1 }).toArray();
  if (linked.length === 0) return [];
  const found = await collections.campaigns
    .find({
      org_id,
      _id: { $in: linked.map(({ campaign_id }) => campaign_id) },
      ...(which === 'open' ? { status: { $ne: 'ARCHIVED' } } : {}),
    })
    .project<{ _id: string }>({ _id: 1 })
    .sort({ created_at: -1, _id: -1 })
    // Covers the query: no campaign is read, and nothing is sorted.
    .hint(BY_AGE)
    .limit(CAMPAIGNS_MAX)
    .toArray();
  return found.map(({ _id }) => _id);
}

/** The links to campaigns that are not archived, newest campaign first. */
export async function newestLinks<T extends Link>(
  own: OwnLinks<T>,
  context: Context,
): Promise<T[]> {
  const ids = await newestCampaigns(own, context, 'open');
  const wanted = { _id: { $in: ids.map((id) => linkId(id, context.party_id)) } } as Filter<T>;
  const found = await own.links.find(wanted).toArray();
  const byCampaign = new Map(found.map((link) => [link.campaign_id, link as T]));
  return ids.flatMap((id) => byCampaign.get(id) ?? []);
}
