/** Pings of a supplier, newest first. */
import type { Collection, Filter } from 'mongodb';
import { findPage, NEWEST_FIRST, type Found, type Wanted } from '../../platform/mongo/pages.js';
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
