/** What is used of every cap and budget of an organization, by the counters that routing compares. */
import { hasCaps, type CapLimits, type CapScope } from '../account/rules/capLimits.js';
import type { AccountCollections } from '../account/store/collections.js';
import { findPage, OLDEST_FIRST, type Place } from '../platform/mongo/pages.js';
import { capMoment, capUsage, type CapUsage } from './rules/capUsage.js';
import { buyerCap, campaignCap, supplierCap } from './store/caps.js';
import { readCapUse } from './store/capUse.js';
import type { RoutingCollections } from './store/collections.js';

type Collections = Pick<
  AccountCollections & RoutingCollections,
  'campaigns' | 'campaignBuyers' | 'campaignSuppliers' | 'caps'
>;

/** Whose limits are read. With a buyer or a supplier: only those of its links. */
export interface CapFilter {
  org_id: string;
  campaign_id?: string;
  /** In the place of one: all limits of these. */
  campaign_ids?: readonly string[];
  buyer_id?: string;
  supplier_id?: string;
}

/** One limit of a link or of a campaign. */
export interface CapUsageRow extends CapUsage {
  scope: CapScope;
  campaign_id: string;
  campaign_name: string;
  /** Null where the limit is not that of a buyer or a supplier. */
  buyer_id: string | null;
  supplier_id: string | null;
  /** Where the list goes on after this row. */
  place: Place;
}

/** Campaigns that are read at once. */
const BATCH_SIZE = 20;

/**
 * Every limit that is set, campaign by campaign, the oldest first; those of a campaign, then of its buyers and of its
 * suppliers. Each yielded list is that of some campaigns: a caller stops when it has enough.
 * @param after the place of the last row that the caller has
 */
export async function* readCapUsage(
  collections: Collections,
  { filter, timeZone, after }: { filter: CapFilter; timeZone: string; after: Place | null },
  now: Date,
): AsyncGenerator<CapUsageRow[]> {
  const moment = capMoment(now, timeZone);
  for await (const campaigns of readCampaigns(collections, filter, after)) {
    const owners = await findOwners(collections, campaigns, filter);
    const use = await readCapUse(
      collections.caps,
      owners.map(({ counter }) => counter),
    );
    const rows = owners.flatMap(({ counter, limits, order, campaign, ...owner }) =>
      capUsage(limits, use.get(counter), moment).map((usage, n) => ({
        ...usage,
        ...owner,
        campaign_id: campaign._id,
        campaign_name: campaign.name,
        place: { at: campaign.created_at, id: `${campaign._id}/${order}/${n}` },
      })),
    );
    yield after ? rows.filter(({ place }) => isAfter(place, after)) : rows;
  }
}

const OF_CAMPAIGN = { name: 1, caps: 1, created_at: 1 } as const;

/** The campaigns of the filter in batches, the oldest first, from the one of the last row on: it may have more rows. */
async function* readCampaigns(
  collections: Collections,
  filter: CapFilter,
  after: Place | null,
): AsyncGenerator<Campaign[]> {
  const { org_id } = filter;
  const ids = await findCampaignIds(collections, filter);
  if (ids) {
    const named = await collections.campaigns
      .find({ _id: { $in: ids }, org_id }, { projection: OF_CAMPAIGN })
      .toArray();
    yield* batchesOf(named.sort(byAge));
    return;
  }
  const [last] = after?.id.split('/') ?? [];
  let from = after && last ? { at: after.at, id: justBefore(last) } : null;
  do {
    const page = await findPage(collections.campaigns, { org_id }, OLDEST_FIRST, {
      after: from,
      limit: BATCH_SIZE,
      options: { projection: OF_CAMPAIGN },
    });
    yield page.docs;
    from = page.next;
  } while (from);
}

function* batchesOf(campaigns: readonly Campaign[]): Generator<Campaign[]> {
  for (let start = 0; start < campaigns.length; start += BATCH_SIZE)
    yield campaigns.slice(start, start + BATCH_SIZE);
}

const byAge = (a: Campaign, b: Campaign): number =>
  Number(a.created_at) - Number(b.created_at) || (a._id < b._id ? -1 : 1);

/** The campaigns of the named one, buyer and supplier; undefined: all. */
async function findCampaignIds(
  { campaignBuyers, campaignSuppliers }: Collections,
  { org_id, campaign_id, campaign_ids, buyer_id, supplier_id }: CapFilter,
): Promise<string[] | undefined> {
  if (campaign_ids) return [...campaign_ids];
  if (campaign_id !== undefined) return [campaign_id];
  if (buyer_id === undefined && supplier_id === undefined) return undefined;
  const projection = { campaign_id: 1 } as const;
  const [bought, sent] = await Promise.all([
    buyer_id === undefined
      ? []
      : campaignBuyers.find({ buyer_id, org_id }, { projection }).toArray(),
    supplier_id === undefined
      ? []
      : campaignSuppliers.find({ supplier_id, org_id }, { projection }).toArray(),
  ]);
  return [...new Set([...bought, ...sent].map((link) => link.campaign_id))];
}

interface Campaign {
  _id: string;
  name: string;
  caps: CapLimits;
  created_at: Date;
}

interface Owner extends Pick<CapUsageRow, 'scope' | 'buyer_id' | 'supplier_id'> {
  campaign: Campaign;
  limits: CapLimits;
  /** Id of the counters. */
  counter: string;
  /** Its place within the campaign. */
  order: string;
}

/** The campaigns and links that have limits, in order. */
async function findOwners(
  { campaignBuyers, campaignSuppliers }: Collections,
  campaigns: readonly Campaign[],
  { buyer_id, supplier_id }: CapFilter,
): Promise<Owner[]> {
  const campaign_id = { $in: campaigns.map(({ _id }) => _id) };
  const isOfAll = buyer_id === undefined && supplier_id === undefined;
  const [buyers, suppliers] = await Promise.all([
    isOfAll || buyer_id !== undefined
      ? campaignBuyers
          .find({ campaign_id, buyer_id }, { projection: { campaign_id: 1, buyer_id: 1, caps: 1 } })
          .toArray()
      : [],
    isOfAll || supplier_id !== undefined
      ? campaignSuppliers
          .find(
            { campaign_id, supplier_id },
            { projection: { campaign_id: 1, supplier_id: 1, caps: 1 } },
          )
          .toArray()
      : [],
  ]);
  const buyersOf = Map.groupBy(buyers, (link) => link.campaign_id);
  const suppliersOf = Map.groupBy(suppliers, (link) => link.campaign_id);
  return campaigns.flatMap((campaign) =>
    [
      ...(isOfAll ? [ofCampaign(campaign)] : []),
      ...(buyersOf.get(campaign._id) ?? []).map((link) => ofBuyer(campaign, link)),
      ...(suppliersOf.get(campaign._id) ?? []).map((link) => ofSupplier(campaign, link)),
    ]
      .filter(({ limits }) => hasCaps(limits))
      .sort((a, b) => (a.order < b.order ? -1 : 1)),
  );
}

const ofCampaign = (campaign: Campaign): Owner => ({
  scope: 'campaign',
  campaign,
  buyer_id: null,
  supplier_id: null,
  limits: campaign.caps,
  counter: campaignCap(campaign._id),
  order: 'a',
});

const ofBuyer = (
  campaign: Campaign,
  { buyer_id, caps }: { buyer_id: string; caps: CapLimits },
): Owner => ({
  scope: 'buyer',
  campaign,
  buyer_id,
  supplier_id: null,
  limits: caps,
  counter: buyerCap(campaign._id, buyer_id),
  order: `b${buyer_id}`,
});

const ofSupplier = (
  campaign: Campaign,
  { supplier_id, caps }: { supplier_id: string; caps: CapLimits },
): Owner => ({
  scope: 'supplier',
  campaign,
  buyer_id: null,
  supplier_id,
  limits: caps,
  counter: supplierCap(campaign._id, supplier_id),
  order: `s${supplier_id}`,
});

/** A text that comes before this id, and after every id before it. */
const justBefore = (id: string): string => id.slice(0, -1);

/** Rows of one instant are in the order of their places. */
const isAfter = (place: Place, after: Place): boolean =>
  Number(place.at) > Number(after.at) ||
  (Number(place.at) === Number(after.at) && place.id > after.id);
