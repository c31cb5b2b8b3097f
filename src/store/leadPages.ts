/** Leads of an organisation, newest first, by what an operator knows of them. */
import type { Collection, Filter } from 'mongodb';
import type { Lead, LeadStatus } from '../domain/lead.js';
import { LEADS_BY_KEY, LEADS_BY_TIME } from './indexes.js';
import { findPage, sortOf, type Found, type Order, type Wanted } from './pages.js';

export interface LeadFilter {
  org_id: string;
  /** Test leads or live ones: never both, for nothing else tells them apart in a list. */
  is_test: boolean;
  campaign_id?: string;
  supplier_id?: string;
  /** Of its first sale. */
  buyer_id?: string;
  statuses?: readonly LeadStatus[];
  /** All of these: `phone:+1555…`, `email:…`, `click_id:…`. */
  keys?: readonly string[];
  /** Created then or later. */
  from?: Date;
  /** Created before. */
  before?: Date;
}

/** What a row of a list is made of. */
export type ListedLead = Pick<
  Lead,
  | '_id'
  | 'campaign_id'
  | 'supplier_id'
  | 'buyer_id'
  | 'status'
  | 'fields'
  | 'sales'
  | 'price'
  | 'cost'
  | 'created_at'
  | 'outcome'
  | 'converted_at'
>;

const NEWEST_FIRST: Order = { at: 'created_at', id: '_id', direction: -1 };
const FIELDS = {
  campaign_id: 1,
  supplier_id: 1,
  buyer_id: 1,
  status: 1,
  'fields.state': 1,
  'fields.zip_code': 1,
  'fields.zip': 1,
  sales: 1,
  price: 1,
  cost: 1,
  created_at: 1,
  outcome: 1,
  converted_at: 1,
} as const;

/** How many leads one call looks through at the most. */
export interface LookLimits {
  /** By their entries in the index. */
  listed: number;
  /** One by one: those with one phone, email or click id. */
  read: number;
}

const LIMITS: LookLimits = { listed: 20_000, read: 2_000 };

/**
 * A page. What filters pass over costs reading too, so a call looks through a bounded number of leads: then a page has
 * fewer rows than were asked for, perhaps none, and the next goes on where it ended.
 */
export async function findLeads(
  leads: Collection<Lead>,
  filter: LeadFilter,
  wanted: Wanted,
  limits: LookLimits = LIMITS,
): Promise<Found<ListedLead>> {
  const hasKeys = filter.keys !== undefined && filter.keys.length > 0;
  const hint = hasKeys ? LEADS_BY_KEY : LEADS_BY_TIME;
  const all = allOf(filter, hasKeys);
  const most = hasKeys ? limits.read : limits.listed;
  const end = isNarrowed(filter) ? await endOfLook(leads, all, hint, wanted, most) : null;
  const found = await findPage<Lead>(
    leads,
    { $and: [all, narrowing(filter), end ? { created_at: { $gte: end } } : {}] },
    NEWEST_FIRST,
    wanted,
    { hint, projection: FIELDS },
  );
  return end && !found.next ? { ...found, next: { at: end, id: '' } } : found;
}

/** Those in a stretch of the index, each of which is looked at. */
function allOf({ org_id, is_test, keys = [], from, before }: LeadFilter, hasKeys: boolean) {
  const span = { ...(from ? { $gte: from } : {}), ...(before ? { $lt: before } : {}) };
  return {
    org_id,
    ...(hasKeys ? { keys: keys.length > 1 ? { $all: [...keys] } : keys[0] } : { is_test }),
    ...(from || before ? { created_at: span } : {}),
  } as Filter<Lead>;
}

const narrowing = (filter: LeadFilter): Filter<Lead> => {
  const { is_test, campaign_id, supplier_id, buyer_id, statuses } = filter;
  return {
    is_test,
    ...(campaign_id === undefined ? {} : { campaign_id }),
    ...(supplier_id === undefined ? {} : { supplier_id }),
    ...(buyer_id === undefined ? {} : { buyer_id }),
    ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
  };
};

const isNarrowed = ({ campaign_id, supplier_id, buyer_id, statuses, keys }: LeadFilter): boolean =>
  [campaign_id, supplier_id, buyer_id, statuses, keys].some((one) => one !== undefined);

/**
 * The instant where looking ends: every lead of it is still looked at. Null when all there is can be looked through.
 * Those of the instant that the page begins in are not counted, so that each page gets on.
 */
async function endOfLook(
  leads: Collection<Lead>,
  all: Filter<Lead>,
  hint: typeof LEADS_BY_KEY | typeof LEADS_BY_TIME,
  { after }: Wanted,
  most: number,
): Promise<Date | null> {
  const earlier = after ? { created_at: { $lt: after.at } } : {};
  const [last] = await leads
    .find({ $and: [all, earlier] } as Filter<Lead>, { hint, projection: { _id: 0, created_at: 1 } })
    .sort(sortOf(NEWEST_FIRST))
    .skip(most - 1)
    .limit(1)
    .toArray();
  return last?.created_at ?? null;
}
