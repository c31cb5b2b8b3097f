/** Pings in pages, newest first: those of a supplier, and those of an organization. */
import type { Collection, Filter } from 'mongodb';
import { findPage, NEWEST_FIRST, type Found, type Wanted } from '../../platform/mongo/pages.js';
import type { PingState } from '../rules/ping.js';
import { inTimeLimit, isUnknownHint } from '../../platform/mongo/databaseErrors.js';
import type { PingDoc } from './pingDocs.js';
import type { Projected } from '../../platform/mongo/projected.js';

export interface PingFilter {
  org_id: string;
  supplier_id: string;
  is_test: boolean;
  campaign_id?: string;
  /** Created at this time or later. */
  from?: Date;
  /** Created before this time. */
  before?: Date;
}

const FIELDS = {
  campaign_id: 1,
  supplier_id: 1,
  is_test: 1,
  state: 1,
  reason: 1,
  filter_errors: 1,
  bids: { $slice: 1 },
  reveal_buyers: 1,
  created_at: 1,
  expires_at: 1,
  lead_id: 1,
} as const;

/** The fields of a row of a list. */
export type ListedPing = Projected<PingDoc, typeof FIELDS>;

/** Each with its best bid alone. */
export function findPings(
  pings: Collection<PingDoc>,
  { org_id, supplier_id, is_test, campaign_id, from, before }: PingFilter,
  wanted: Wanted,
): Promise<Found<ListedPing>> {
  const span = { $gte: from, $lt: before };
  const filter: Filter<PingDoc> = {
    org_id,
    supplier_id,
    is_test,
    campaign_id,
    created_at: from || before ? span : undefined,
  };
  return findPage(pings, filter, NEWEST_FIRST, { ...wanted, options: { projection: FIELDS } });
}

const NEWEST = { created_at: -1, _id: -1 } as const;
export const PINGS_OF_SUPPLIER = {
  org_id: 1,
  supplier_id: 1,
  is_test: 1,
  ...NEWEST,
  campaign_id: 1,
} as const;
export const PINGS_OF_STATE = { org_id: 1, is_test: 1, state: 1, ...NEWEST } as const;
export const PINGS_OF_CAMPAIGN = {
  org_id: 1,
  is_test: 1,
  campaign_id: 1,
  state: 1,
  ...NEWEST,
} as const;

const STATES: readonly PingState[] = ['open', 'redeemed', 'expired', 'refused'];

export interface OrgPingFilter extends Omit<PingFilter, 'supplier_id'> {
  supplier_id?: string;
  state?: PingState;
}

/** A page shows no more bids of a ping: get_ping has all. */
export const LISTED_BIDS = 10;

const ORG_FIELDS = {
  ...FIELDS,
  bids: { $slice: LISTED_BIDS },
  redeemed_at: 1,
} as const;

/** The fields of a row of the organization's list. */
export type ListedOrgPing = Projected<PingDoc, typeof ORG_FIELDS>;

/** Milliseconds after which a page is abandoned; every call to MongoDB ends after two seconds anyway. */
const PAGE_WITHIN_MS = 1_500;

/**
 * A page of an organization's pings with their best bids. Without a state MongoDB reads those of each state in order, and
 * merges them. Pings of a supplier are read by its own index, past those of other states.
 * @returns null where too many had to be skipped to find them in time
 */
export function findOrgPings(
  pings: Collection<PingDoc>,
  { org_id, is_test, campaign_id, supplier_id, state, from, before }: OrgPingFilter,
  wanted: Wanted,
): Promise<Found<ListedOrgPing> | null> {
  const ofSupplier = supplier_id !== undefined;
  const filter: Filter<PingDoc> = {
    org_id,
    is_test,
    campaign_id,
    supplier_id,
    state: state ?? (ofSupplier ? undefined : { $in: [...STATES] }),
    created_at: from || before ? { $gte: from, $lt: before } : undefined,
  };
  const hint = ofSupplier
    ? PINGS_OF_SUPPLIER
    : campaign_id === undefined
      ? PINGS_OF_STATE
      : PINGS_OF_CAMPAIGN;
  const read = (more: { hint?: typeof hint }) => {
    const options = { projection: ORG_FIELDS, maxTimeMS: PAGE_WITHIN_MS, ...more };
    return inTimeLimit(() => findPage(pings, filter, NEWEST_FIRST, { ...wanted, options }));
  };
  return read({ hint }).catch((error: unknown) => {
    if (isUnknownHint(error)) return read({});
    throw error;
  });
}
