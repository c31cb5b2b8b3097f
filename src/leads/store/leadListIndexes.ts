/**
 * The indexes that lists of leads are read by: for each filter, and each pair of them, one in which the leads that fit
 * lie side by side, newest first. Each costs MongoDB some 0.01 ms of CPU for a lead, so they are such that a lead enters
 * each of them once: when it is stored, when its status is known, or when it is sold.
 */
import type { Lead } from '../rules/lead.js';
import type { LeadStatus } from '../rules/leadStatus.js';
import type { IndexRow } from '../../platform/mongo/indexRow.js';

/** Fields in their order; 1 rises, -1 falls. */
export type IndexKey = Readonly<Record<string, 1 | -1>>;

const KIND = { org_id: 1, is_test: 1 } as const;
const NEWEST = { created_at: -1, _id: -1 } as const;

/** Every status but NEW, in which a lead is for milliseconds. */
const LISTED_STATUSES = [
  ...(['PENDING', 'SELLING', 'ACCEPTED', 'UNMATCHED'] as const),
  ...(['DUPLICATE', 'REJECTED', 'EXPIRED', 'WITHDRAWN'] as const),
] as const satisfies readonly LeadStatus[];

const LISTED = { partialFilterExpression: { status: { $in: [...LISTED_STATUSES] } } };
/** A lead has a buyer from its first sale on. */
const SOLD = { partialFilterExpression: { buyer_id: { $gt: '' } } };

export const LEADS_NEWEST: IndexKey = { ...KIND, ...NEWEST };
export const LEADS_OF_CAMPAIGN: IndexKey = { ...KIND, campaign_id: 1, ...NEWEST };
export const LEADS_OF_SUPPLIER: IndexKey = { ...KIND, supplier_id: 1, ...NEWEST };
export const LEADS_OF_LINK: IndexKey = { ...KIND, campaign_id: 1, supplier_id: 1, ...NEWEST };
export const LEADS_OF_STATUS: IndexKey = { ...KIND, status: 1, outcome: 1, ...NEWEST };
export const LEADS_OF_CAMPAIGN_STATUS: IndexKey = {
  ...KIND,
  campaign_id: 1,
  status: 1,
  outcome: 1,
  ...NEWEST,
  supplier_id: 1,
};
export const LEADS_OF_SUPPLIER_STATUS: IndexKey = {
  ...KIND,
  supplier_id: 1,
  status: 1,
  outcome: 1,
  ...NEWEST,
};
export const LEADS_OF_BUYER: IndexKey = {
  ...KIND,
  buyer_id: 1,
  outcome: 1,
  ...NEWEST,
  campaign_id: 1,
  supplier_id: 1,
};
export const LEADS_OF_BUYER_LINK: IndexKey = { ...KIND, buyer_id: 1, campaign_id: 1, ...NEWEST };
export const LEADS_OF_BUYER_SUPPLIER: IndexKey = {
  ...KIND,
  buyer_id: 1,
  supplier_id: 1,
  ...NEWEST,
};
export const LEADS_RETURNED: IndexKey = {
  ...KIND,
  ...NEWEST,
  campaign_id: 1,
  supplier_id: 1,
  buyer_id: 1,
};

/** Leads that some run has still to take or to end; a decided one leaves it. */
export const LEADS_OPEN: IndexKey = { status: 1, lease_until: 1, created_at: 1 };

const row = (key: IndexKey, serves: string, options?: IndexRow['options']): IndexRow => ({
  collection: 'leads',
  key,
  serves,
  ...(options ? { options } : {}),
});

export const LEAD_LIST_INDEXES: readonly IndexRow[] = [
  row(LEADS_NEWEST, "an organization's leads, newest first; those of a span of time"),
  row(
    LEADS_OF_CAMPAIGN,
    'those of a campaign; reconcile: those of a day, to compare the roll-ups with',
  ),
  row(LEADS_OF_SUPPLIER, 'those of a supplier'),
  row(LEADS_OF_LINK, 'those of a supplier within a campaign'),
  row(LEADS_OF_STATUS, 'those of a status, or of an outcome', LISTED),
  row(LEADS_OF_CAMPAIGN_STATUS, 'those of a status or an outcome in a campaign', LISTED),
  row(LEADS_OF_SUPPLIER_STATUS, 'those of a status or an outcome from a supplier', LISTED),
  row(LEADS_OF_BUYER, 'those that a buyer bought; of an outcome', SOLD),
  row(LEADS_OF_BUYER_LINK, 'those that a buyer bought in a campaign', SOLD),
  row(LEADS_OF_BUYER_SUPPLIER, 'those that a buyer bought from a supplier', SOLD),
  row(LEADS_RETURNED, 'those that buyers returned', {
    partialFilterExpression: { 'sales.returned': { $exists: true } },
  }),
];

/** What lists were read by before: processes of a release from before these indexes still name it. */
export const SUPERSEDED_LEAD_INDEX = {
  ...KIND,
  ...NEWEST,
  campaign_id: 1,
  supplier_id: 1,
  status: 1,
  buyer_id: 1,
} satisfies Partial<Record<keyof Lead, 1 | -1>>;
/** `keys` has an entry for each field of a lead, so what changes of a lead is left out. */

export const LEADS_BY_KEY = {
  org_id: 1,
  keys: 1,
  created_at: -1,
  _id: -1,
  campaign_id: 1,
  supplier_id: 1,
} as const;
