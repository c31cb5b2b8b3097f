/**
 * The indexes of `leads` that this room uses; those that reports, outcomes and automations use are in their
 * `store/`. Each costs MongoDB some 0.01 ms of CPU for a lead.
 */
import type { Lead } from '../rules/lead.js';
import { OPEN_STATUSES, type LeadStatus } from '../rules/leadStatus.js';
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

/** Fields in their order; 1 ascending, -1 descending. */
export type IndexKey = Readonly<Record<string, 1 | -1>>;

const KIND = { org_id: 1, is_test: 1 } as const;
export const NEWEST = { created_at: -1, _id: -1 } as const;
const BY_STATUS = { status: 1, outcome: 1, ...NEWEST } as const;

/** Every status but NEW, which lasts only milliseconds. */
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
export const LEADS_OF_STATUS: IndexKey = { ...KIND, ...BY_STATUS };
export const LEADS_OF_CAMPAIGN_STATUS: IndexKey = {
  ...KIND,
  campaign_id: 1,
  ...BY_STATUS,
  supplier_id: 1,
};
export const LEADS_OF_SUPPLIER_STATUS: IndexKey = { ...KIND, supplier_id: 1, ...BY_STATUS };
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
/** An entry for each sale: its fields belong to the same sale. */
export const LEADS_OF_SALES: IndexKey = {
  ...KIND,
  'sales.buyer_id': 1,
  'sales.outcome': 1,
  ...NEWEST,
};
export const LEADS_RETURNED: IndexKey = {
  ...LEADS_NEWEST,
  campaign_id: 1,
  supplier_id: 1,
  buyer_id: 1,
};

/** Leads that a run has still to acquire or to end; a decided lead leaves the index. */
export const LEADS_OPEN: IndexKey = { status: 1, lease_until: 1, created_at: 1 };

/** `keys` has an entry for each field of a lead, so fields of the lead that change are left out. */
export const LEADS_BY_KEY = {
  org_id: 1,
  keys: 1,
  created_at: -1,
  _id: -1,
  campaign_id: 1,
  supplier_id: 1,
} as const;

const row = (key: IndexKey, serves: string, options?: IndexRow['options']): IndexRow =>
  index('leads', key, serves, options);

/**
 * The indexes of lists of leads: for each filter, and each pair of them, an index in which the matching leads are
 * adjacent, newest first. A lead enters each of them once: when it is stored, when its status is known, or when sold.
 */
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
  row(LEADS_OF_SALES, "a buyer's portal: its sales, whichever of a lead's; of an outcome", SOLD),
  row(LEADS_RETURNED, 'those that buyers returned', {
    partialFilterExpression: { 'sales.returned': { $exists: true } },
  }),
];

export const LEAD_INDEXES: readonly IndexRow[] = [
  row(
    LEADS_OPEN,
    'reconcile: leads never leased, and leads whose lease ended; skips those that wait in the durable lane, and a ' +
      'decided lead leaves the index; lists of undecided leads',
    { partialFilterExpression: { status: { $in: [...OPEN_STATUSES] } } },
  ),
  row(
    LEADS_BY_KEY,
    "an organization's leads with one value of a field (phone, email, click id …), newest first; those of a campaign, " +
      'or of a supplier within it, without reading the others',
  ),
  ...LEAD_LIST_INDEXES,
  row({ campaign_id: 1 }, 'whether a test lead of a campaign was sold; live leads are not in it', {
    partialFilterExpression: { is_test: true, status: 'ACCEPTED' },
  }),
];

/**
 * The index that lists used before: processes of an earlier release still name it.
 * @until 0.3
 */
export const SUPERSEDED_LEAD_INDEX = {
  ...KIND,
  ...NEWEST,
  campaign_id: 1,
  supplier_id: 1,
  status: 1,
  buyer_id: 1,
} satisfies Partial<Record<keyof Lead, 1 | -1>>;
