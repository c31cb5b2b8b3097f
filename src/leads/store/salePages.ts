/** The sales of one buyer, newest lead first: each lead by its sale to this buyer, whichever of its sales that is. */
import type { Collection, Filter } from 'mongodb';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import {
  findPageOfAny,
  NEWEST_FIRST,
  type Found,
  type Wanted,
} from '../../platform/mongo/pages.js';
import type { Lead, Sale } from '../rules/lead.js';
import { SALE_OUTCOMES, type SaleOutcome } from '../rules/saleChange.js';
import { LEADS_BY_KEY, LEADS_OF_SALES, LEADS_RETURNED, type IndexKey } from './leadIndexes.js';

export interface SaleFilter {
  org_id: string;
  buyer_id: string;
  is_test: boolean;
  campaign_id?: string;
  /** Outcome of the sale; null: none was reported. */
  outcome?: SaleOutcome | null;
  isReturned?: boolean;
  /** Any of these: `phone:+1555…`, `email:…`. */
  keys?: readonly string[];
  /** First characters of the lead's id. */
  idPrefix?: string;
  /** Only these leads; at most some hundred. */
  ids?: readonly string[];
  /** Received at this time or later. */
  from?: Date;
  /** Received before this time. */
  before?: Date;
}

/** A lead as its buyer may see it: with the sale to this buyer, and no other. */
export interface SoldToBuyer extends Pick<
  Lead,
  '_id' | 'campaign_id' | 'is_test' | 'fields' | 'created_at'
> {
  sale: Sale;
}

type Read = Omit<SoldToBuyer, 'sale'> & { sales: Sale[] };

const FIELDS = { campaign_id: 1, is_test: 1, fields: 1, created_at: 1, sales: 1 } as const;

/** Milliseconds after which a page is abandoned. */
const PAGE_WITHIN_MS = 1_500;

/** @returns null where too many leads had to be skipped to find them in time */
export async function findSales(
  leads: Collection<Lead>,
  filter: SaleFilter,
  wanted: Wanted,
): Promise<Found<SoldToBuyer> | null> {
  if (filter.idPrefix !== undefined) return findByPrefix(leads, filter, wanted);
  const { hint, wheres } = readingOf(filter);
  const page = await inTimeLimit(() =>
    findPageOfAny<Lead>(leads, wheres, NEWEST_FIRST, {
      ...wanted,
      options: { hint, projection: FIELDS, maxTimeMS: PAGE_WITHIN_MS },
    }),
  );
  if (!page) return null;
  const { docs, next } = page as Found<Read>;
  return { docs: docs.flatMap((lead) => ofBuyer(lead, filter.buyer_id) ?? []), next };
}

/** By descending ids, which begin with the time: newest first, as everywhere, without sorting. */
async function findByPrefix(
  leads: Collection<Lead>,
  filter: SaleFilter,
  { after, limit }: Wanted,
): Promise<Found<SoldToBuyer> | null> {
  const where = whereOf(filter, filter.outcome);
  const further = after ? { $and: [where, { _id: { $lt: after.id } }] } : where;
  const found = await inTimeLimit(() =>
    leads
      .find<Read>(further, { hint: { _id: 1 }, projection: FIELDS, maxTimeMS: PAGE_WITHIN_MS })
      .sort({ _id: -1 })
      .limit(limit + 1)
      .toArray(),
  );
  const docs = found?.slice(0, limit);
  const last = docs?.at(-1);
  if (!found || !docs) return null;
  return {
    docs: docs.flatMap((lead) => ofBuyer(lead, filter.buyer_id) ?? []),
    next: found.length > limit && last ? { at: last.created_at, id: last._id } : null,
  };
}

/** The buyer's sale of one lead; null where it has none. */
export async function findSale(
  leads: Collection<Lead>,
  { org_id, buyer_id, lead_id }: { org_id: string; buyer_id: string; lead_id: string },
): Promise<SoldToBuyer | null> {
  const where = { _id: lead_id, org_id, 'sales.buyer_id': buyer_id };
  const lead = await leads.findOne<Read>(where, { projection: FIELDS });
  return lead && ofBuyer(lead, buyer_id);
}

/** Sales of one outcome are adjacent; without that filter, each outcome is read in order, and MongoDB merges them. */
function readingOf(filter: SaleFilter): { hint: IndexKey; wheres: Filter<Lead>[] } {
  const { keys, ids, outcome, isReturned } = filter;
  const one = (hint: IndexKey) => ({ hint, wheres: [whereOf(filter, outcome)] });
  if (ids !== undefined) return one({ _id: 1 });
  if (keys !== undefined) return one(LEADS_BY_KEY);
  if (isReturned === true) return one(LEADS_RETURNED);
  const outcomes = outcome === undefined ? [null, ...SALE_OUTCOMES] : [outcome];
  return { hint: LEADS_OF_SALES, wheres: outcomes.map((each) => whereOf(filter, each)) };
}

function whereOf(filter: SaleFilter, outcome: SaleOutcome | null | undefined): Filter<Lead> {
  const { org_id, buyer_id, is_test, campaign_id, isReturned, keys, from, before } = filter;
  const span = { $gte: from, $lt: before };
  const sale = {
    buyer_id,
    outcome,
    returned: isReturned === undefined ? undefined : { $exists: isReturned },
  };
  return {
    org_id,
    is_test,
    // Needed for the partial index: a lead that has a sale has a buyer.
    buyer_id: { $gt: '' },
    sales: { $elemMatch: sale },
    campaign_id,
    keys: keys && { $in: [...keys] },
    'sales.returned': isReturned ? { $exists: true } : undefined,
    _id: idsOf(filter),
    created_at: from || before ? span : undefined,
  };
}

function idsOf({ ids, idPrefix }: SaleFilter) {
  if (ids !== undefined) return { $in: [...ids] };
  // Ids are hexadecimal: every id with this prefix sorts before the prefix and `g`.
  return idPrefix === undefined ? undefined : { $gte: idPrefix, $lt: `${idPrefix}g` };
}

function ofBuyer({ sales, ...lead }: Read, buyerId: string): SoldToBuyer | null {
  const sale = sales.find(({ buyer_id }) => buyer_id === buyerId);
  return sale ? { ...lead, sale } : null;
}
