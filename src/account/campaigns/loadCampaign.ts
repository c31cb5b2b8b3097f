/** Reads one campaign with everything that is linked to it. */
import type { ClientSession, Document } from 'mongodb';
import type { CampaignBuyerDoc, CampaignSupplierDoc } from '../store/accountDocs.js';
import type { AccountCollections } from '../store/collections.js';
import { AppError } from '../../lib/errors.js';
import type { CampaignAccount } from '../plans/compilePlan.js';

/** Matches records that are not being deleted. */
const NOT_REMOVED = { removed_at: { $exists: false } };

/**
 * Links whose buyer or supplier is gone, or is being deleted, are left out.
 * @param session reads within its transaction, one after the other
 * @throws {AppError} `not_found` when the campaign or its organization is gone
 */
export async function loadCampaign(
  collections: AccountCollections,
  campaignId: string,
  session?: ClientSession,
): Promise<CampaignAccount> {
  const options = { session };
  const all = session ? inTurn : atOnce;
  const campaign = await collections.campaigns.findOne({ _id: campaignId }, options);
  if (!campaign) throw new AppError('not_found', `There is no campaign ${campaignId}.`);
  const [org, buyerLinks, supplierLinks] = await all([
    () => collections.orgs.findOne({ _id: campaign.org_id }, options),
    () => collections.campaignBuyers.find({ campaign_id: campaignId }, options).toArray(),
    () => collections.campaignSuppliers.find({ campaign_id: campaignId }, options).toArray(),
  ]);
  if (!org) throw new AppError('not_found', `There is no organization ${campaign.org_id}.`);
  const buyerIds = buyerLinks.map((link) => link.buyer_id);
  const supplierIds = supplierLinks.map((link) => link.supplier_id);
  const lists = {
    org_id: org._id,
    target_id: { $in: [org._id, campaignId, ...buyerIds] },
    ...NOT_REMOVED,
  };
  const [buyers, suppliers, suppressionLists] = await all([
    () => collections.buyers.find({ _id: { $in: buyerIds } }, options).toArray(),
    () =>
      collections.suppliers.find({ _id: { $in: supplierIds }, ...NOT_REMOVED }, options).toArray(),
    () => collections.suppressionLists.find(lists, options).toArray(),
  ]);
  const buyerById = new Map(buyers.map((buyer) => [buyer._id, buyer]));
  const supplierById = new Map(suppliers.map((supplier) => [supplier._id, supplier]));
  return {
    org,
    campaign,
    suppressionLists,
    buyers: buyerLinks.flatMap((link) => {
      const buyer = buyerById.get(link.buyer_id);
      return buyer ? [{ link, buyer }] : [];
    }),
    suppliers: supplierLinks.flatMap((link) => {
      const supplier = supplierById.get(link.supplier_id);
      return supplier ? [{ link, supplier }] : [];
    }),
  };
}

type Reads<T extends readonly unknown[]> = { [K in keyof T]: () => Promise<T[K]> };

const atOnce = <T extends [unknown, unknown, unknown]>([a, b, c]: Reads<T>): Promise<T> =>
  Promise.all([a(), b(), c()]) as Promise<T>;

/** A transaction runs one operation at a time. */
const inTurn = async <T extends [unknown, unknown, unknown]>([a, b, c]: Reads<T>): Promise<T> =>
  [await a(), await b(), await c()] as unknown as T;

/** Links as lists show them: with the name and the status of the record at their other end. */
export interface NamedLinks {
  buyers: (CampaignBuyerDoc & Named)[];
  suppliers: (CampaignSupplierDoc & Named)[];
}

interface Named {
  name: string;
  /** Of the buyer or the supplier itself. */
  party_status: 'active' | 'paused';
}

/**
 * Reads the links of campaigns with the names of their buyers and suppliers, one command for each kind; as
 * `loadCampaign` it leaves out those whose buyer or supplier is gone, or is being deleted.
 */
export async function loadNamedLinks(
  { buyers, suppliers, campaignBuyers, campaignSuppliers }: AccountCollections,
  campaignIds: readonly string[],
): Promise<NamedLinks> {
  const ofBuyers = named(campaignIds, buyers.collectionName, 'buyer_id');
  const ofSuppliers = named(campaignIds, suppliers.collectionName, 'supplier_id', NOT_REMOVED);
  const [buyerLinks, supplierLinks] = await Promise.all([
    campaignBuyers.aggregate<CampaignBuyerDoc & Named>(ofBuyers).toArray(),
    campaignSuppliers.aggregate<CampaignSupplierDoc & Named>(ofSuppliers).toArray(),
  ]);
  return { buyers: buyerLinks, suppliers: supplierLinks };
}

const named = (
  campaignIds: readonly string[],
  from: string,
  localField: string,
  left: Document = {},
) => [
  { $match: { campaign_id: { $in: [...campaignIds] } } },
  {
    $lookup: {
      from,
      localField,
      foreignField: '_id',
      pipeline: [{ $match: left }, { $project: { _id: 0, name: 1, status: 1 } }],
      as: 'party',
    },
  },
  { $unwind: '$party' },
  { $set: { name: '$party.name', party_status: '$party.status' } },
  { $unset: 'party' },
];

/** Bytes of the links of each of these campaigns, as they are stored. A campaign without links has no entry. */
export async function sizesOfLinks(
  { campaignBuyers, campaignSuppliers }: AccountCollections,
  campaignIds: readonly string[],
): Promise<Map<string, number>> {
  const sizes = [
    { $match: { campaign_id: { $in: [...campaignIds] } } },
    { $group: { _id: '$campaign_id', bytes: { $sum: { $bsonSize: '$$ROOT' } } } },
  ];
  const found = await Promise.all([
    campaignBuyers.aggregate<{ _id: string; bytes: number }>(sizes).toArray(),
    campaignSuppliers.aggregate<{ _id: string; bytes: number }>(sizes).toArray(),
  ]);
  const total = new Map<string, number>();
  for (const { _id, bytes } of found.flat()) total.set(_id, (total.get(_id) ?? 0) + bytes);
  return total;
}
