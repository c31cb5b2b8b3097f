/** Leads of an organization, newest first, by values that an operator knows. */
import type { Collection, Document, Filter } from 'mongodb';
import type { Lead } from '../rules/lead.js';
import type { LossStep } from '../rules/loss.js';
import { SOLD_STATUSES, type LeadStatus } from '../rules/leadStatus.js';
import { SALE_OUTCOMES, type SaleOutcome } from '../rules/saleChange.js';
import { inTimeLimit, isUnknownHint } from '../../platform/mongo/databaseErrors.js';
import { LEADS_BY_KEY } from './leadIndexes.js';
import * as indexes from './leadIndexes.js';
import {
  findPage,
  mergePages,
  NEWEST_FIRST,
  type Found,
  type Wanted,
} from '../../platform/mongo/pages.js';
import type { Projected } from '../../platform/mongo/projected.js';

export interface LeadFilter {
  org_id: string;
  /** Test leads or live ones: never both, for nothing else distinguishes them in a list. */
  is_test: boolean;
  campaign_id?: string;
  supplier_id?: string;
  /** The buyer of its first sale. */
  buyer_id?: string;
  statuses?: readonly LeadStatus[];
  /** Outcome of the whole lead: the last one reported for any of its sales. */
  outcome?: SaleOutcome;
  /** true: returned by every buyer; false: not so. Absent: either. */
  isReturned?: boolean;
  /** Of each group one: `phone:+1555…`, `email:…`, `click_id:…`, in each form in which it may be stored. */
  keys?: readonly (readonly string[])[];
  /** Created at this time or later. */
  from?: Date;
  /** Created before this time. */
  before?: Date;
}

const OWN_FIELDS = {
  campaign_id: 1,
  supplier_id: 1,
  buyer_id: 1,
  status: 1,
  sales: 1,
  price: 1,
  cost: 1,
  created_at: 1,
  outcome: 1,
  converted_at: 1,
} as const;

/** What finds and names a lead. */
export const FOUND_FIELDS = {
  ...OWN_FIELDS,
  'fields.state': 1,
  'fields.zip_code': 1,
  'fields.zip': 1,
  'fields.first_name': 1,
  'fields.last_name': 1,
  'fields.phone': 1,
  'fields.email': 1,
} as const;

const isStep = (step: string, result?: string): Document => ({
  $and: [
    { $eq: ['$$entry.step', step] },
    ...(result === undefined ? [] : [{ $eq: ['$$entry.result', result] }]),
  ],
});

const LOSS_ENTRIES = [
  isStep('delivery'),
  isStep('caps', 'full'),
  isStep('routing', 'skipped'),
  isStep('duplicates'),
  isStep('closing'),
];

/**
 * What of the trail of a lead without buyer says why, each kind once: few entries, however many buyers were asked. The
 * buyers, and their answers, are left out.
 */
const LOSS_STEPS = {
  $cond: [
    { $in: ['$status', ['UNMATCHED', 'EXPIRED']] },
    {
      $setUnion: [
        {
          $map: {
            input: { $filter: { input: '$trail', as: 'entry', cond: { $or: LOSS_ENTRIES } } },
            as: 'entry',
            in: {
              step: '$$entry.step',
              result: '$$entry.result',
              reason: { $cond: [isStep('delivery'), '$$REMOVE', '$$entry.reason'] },
            },
          },
        },
      ],
    },
    '$$REMOVE',
  ],
};

/** What a row of a list is made of. */
export const LISTED_FIELDS = {
  ...FOUND_FIELDS,
  // How a lead ended is in its last entries.
  trail: { $slice: -3 },
  loss_steps: LOSS_STEPS,
} as const;

/** What an export may show: all but how a lead was decided. */
const WHOLE_FIELDS = {
  ...OWN_FIELDS,
  fields: 1,
  extra: 1,
  is_test: 1,
  plan_version: 1,
  profit: 1,
  decided_at: 1,
  duplicate_of: 1,
} as const;

/** The fields of a row of a list. */
export type ListedLead = Projected<Lead, typeof LISTED_FIELDS> &
  Pick<Lead, 'fields'> & {
    /** Of a lead without buyer. */
    loss_steps?: readonly LossStep[];
  };

/** Milliseconds after which a page is abandoned; every call to MongoDB ends after two seconds anyway. */
const PAGE_WITHIN_MS = 1_500;

/**
 * A page: every one but the last is full. For each filter, and each pair, the matching leads are adjacent in an
 * index, so that about as many are read as are returned; with three filters, leads that do not match are skipped.
 * @returns null where too many had to be skipped to find them in time
 */
export const findLeads = (
  leads: Collection<Lead>,
  filter: LeadFilter,
  wanted: Wanted,
  withinMs = PAGE_WITHIN_MS,
): Promise<Found<ListedLead> | null> =>
  readLeads<ListedLead>({ leads, projection: LISTED_FIELDS, withinMs }, filter, wanted);

export type ExportedLead = Projected<Lead, typeof WHOLE_FIELDS>;

/** The same with all fields of each lead. */
export const findWholeLeads = (
  leads: Collection<Lead>,
  filter: LeadFilter,
  wanted: Wanted,
): Promise<Found<ExportedLead> | null> =>
  readLeads<ExportedLead>(
    { leads, projection: WHOLE_FIELDS, withinMs: PAGE_WITHIN_MS },
    filter,
    wanted,
  );

interface Reads {
  leads: Collection<Lead>;
  projection: Document;
  withinMs: number;
}

async function readLeads<T extends { _id: string; created_at: Date }>(
  { leads, projection, withinMs }: Reads,
  filter: LeadFilter,
  wanted: Wanted,
): Promise<Found<T> | null> {
  const { hint, wheres } = readingOf(filter);
  const by = performance.now() + withinMs;
  const read = (where: Filter<Lead>, options: { hint?: indexes.IndexKey }) =>
    findPage<Lead>(leads, where, NEWEST_FIRST, {
      ...wanted,
      options: {
        ...options,
        projection,
        maxTimeMS: Math.max(1, Math.ceil(by - performance.now())),
      },
    }) as unknown as Promise<Found<T>>;
  const readByAny = (where: Filter<Lead>): Promise<Found<T>> =>
    read(where, { hint }).catch((error: unknown) => {
      if (isUnknownHint(error)) return read(where, {});
      throw error;
    });
  const pages = await inTimeLimit(async () => {
    const found: Found<T>[] = [];
    for (const where of wheres) found.push(await readByAny(where));
    return found;
  });
  const [only] = pages ?? [];
  if (!pages || (only && pages.length === 1)) return only ?? null;
  return mergePages(pages, wanted.limit);
}

/** Null is a sold lead without a reported outcome. */
const ANY_OUTCOME = [null, ...SALE_OUTCOMES];

interface Reading {
  hint: indexes.IndexKey;
  /**
   * Read in this order, and merged; none: no lead can match. A lead goes from SELLING to ACCEPTED, and is read as one
   * or the other, whenever it does.
   */
  wheres: Filter<Lead>[];
}

function readingOf(filter: LeadFilter): Reading {
  const { statuses, buyer_id, outcome, isReturned } = filter;
  const isSold = buyer_id !== undefined || outcome !== undefined || isReturned !== undefined;
  const selected = isSold ? (statuses ?? SOLD_STATUSES).filter(isSoldStatus) : statuses;
  const hint = indexOf(filter, selected);
  // MongoDB reads a partial index in order for one status, and sorts in memory for two.
  const each =
    'outcome' in hint && 'status' in hint
      ? selected?.toSorted(bySold).map((one) => [one])
      : [selected];
  const wheres = (selected?.length === 0 ? [] : (each ?? [])).map(
    (some) =>
      ({ ...base(filter), ...returned(filter), ...decided(filter, some, hint) }) as Filter<Lead>,
  );
  return { hint, wheres };
}

const isSoldStatus = (status: LeadStatus): boolean => SOLD_STATUSES.includes(status);
const bySold = (a: LeadStatus, b: LeadStatus): number =>
  SOLD_STATUSES.indexOf(a) - SOLD_STATUSES.indexOf(b);

function indexOf(filter: LeadFilter, statuses: readonly LeadStatus[] | undefined): Reading['hint'] {
  const { keys = [], campaign_id, supplier_id, buyer_id, outcome, isReturned } = filter;
  if (keys.length > 0) return LEADS_BY_KEY;
  if (isReturned === true) return indexes.LEADS_RETURNED;
  if (buyer_id !== undefined) {
    if (outcome !== undefined) return indexes.LEADS_OF_BUYER;
    if (campaign_id !== undefined) return indexes.LEADS_OF_BUYER_LINK;
    return supplier_id === undefined ? indexes.LEADS_OF_BUYER : indexes.LEADS_OF_BUYER_SUPPLIER;
  }
  if (statuses?.includes('NEW')) return indexes.LEADS_OPEN;
  if (statuses !== undefined) {
    if (campaign_id !== undefined) return indexes.LEADS_OF_CAMPAIGN_STATUS;
    return supplier_id === undefined ? indexes.LEADS_OF_STATUS : indexes.LEADS_OF_SUPPLIER_STATUS;
  }
  if (campaign_id === undefined)
    return supplier_id === undefined ? indexes.LEADS_NEWEST : indexes.LEADS_OF_SUPPLIER;
  return supplier_id === undefined ? indexes.LEADS_OF_CAMPAIGN : indexes.LEADS_OF_LINK;
}

function base({ org_id, is_test, campaign_id, supplier_id, buyer_id, ...filter }: LeadFilter) {
  const { keys = [], from, before } = filter;
  const span = { $gte: from, $lt: before };
  return {
    org_id,
    is_test,
    campaign_id,
    supplier_id,
    buyer_id,
    $and: keys.length > 0 ? keys.map((some) => ({ keys: { $in: [...some] } })) : undefined,
    created_at: from || before ? span : undefined,
  };
}

/**
 * Where the index sorts by outcome before time, the filter names every outcome: MongoDB then reads each in order and
 * merges them.
 */
function decided(
  { outcome }: LeadFilter,
  statuses: readonly LeadStatus[] | undefined,
  hint: Reading['hint'],
) {
  const isUnsold = statuses !== undefined && !statuses.some(isSoldStatus);
  const any = isUnsold ? { outcome: null } : { outcome: { $in: ANY_OUTCOME } };
  return {
    status: statuses && { $in: [...statuses] },
    ...(outcome === undefined ? ('outcome' in hint ? any : {}) : { outcome }),
  };
}

function returned({ isReturned }: LeadFilter) {
  if (isReturned === undefined) return {};
  const kept = { $elemMatch: { returned: { $exists: false } } };
  return isReturned
    ? { 'sales.returned': { $exists: true }, sales: { $not: kept } }
    : { sales: kept };
}
