/** Lists of deliveries for operators, and one of them: each attempt to sell a lead to a buyer. */
import type { Collection, Filter } from 'mongodb';
import { inTimeLimit } from '../../platform/mongo/databaseErrors.js';
import {
  findPageOfAny,
  NEWEST_FIRST,
  OLDEST_FIRST,
  type Found,
  type Wanted,
} from '../../platform/mongo/pages.js';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { DELIVERIES_OF_BUYER, rowIdsOf, WAITING_OF_ORG } from './deliveryIndexes.js';
import { WAITING } from './waiting.js';

export interface DeliveryFilter {
  org_id: string;
  states: readonly DeliveryState[];
  lead_id?: string;
  buyer_id?: string;
  campaign_id?: string;
  supplier_id?: string;
  /** Opened at this time or later. */
  from?: Date;
}

/** Milliseconds after which the query of a page is abandoned. */
const PAGE_WITHIN_MS = 1_500;

/** Without the run and the windows of its counters, which only routing needs. */
const SHOWN = { run: 0, fence: 0, uncounted: 0, changes: 0, unbooked: 0 } as const;

/**
 * What waits oldest first, all else newest first. Deliveries that do not wait have an index by buyer alone: their
 * filter names the lead, or `buyerIds`.
 * @param buyerIds whose deliveries are read where no lead and no buyer is named, and some do not wait
 * @returns null where it could not be read in time
 */
export function findDeliveries(
  deliveries: Collection<DeliveryDoc>,
  { states, from, lead_id, ...filter }: DeliveryFilter,
  wanted: Wanted,
  buyerIds: readonly string[] = [],
): Promise<Found<DeliveryDoc> | null> {
  const rest = { ...filter, created_at: from && { $gte: from } };
  const onlyWaits = states.every((state) => WAITING.includes(state));
  const order = onlyWaits ? OLDEST_FIRST : NEWEST_FIRST;
  const read = (filters: Filter<DeliveryDoc>[], hint: Record<string, 1 | -1>) =>
    inTimeLimit(() =>
      findPageOfAny(deliveries, filters, order, {
        ...wanted,
        options: { hint, projection: SHOWN, maxTimeMS: PAGE_WITHIN_MS },
      }),
    );
  if (lead_id !== undefined) return readOfLead(deliveries, { ...rest, states, lead_id }, wanted);
  // In order for one state each: with several in one filter MongoDB would sort in memory.
  if (onlyWaits && filter.buyer_id === undefined) {
    const each = states.map((state) => ({ ...rest, state }));
    return read(each, WAITING_OF_ORG);
  }
  const ids = filter.buyer_id === undefined ? buyerIds : [filter.buyer_id];
  const each = ids.flatMap((buyer_id) => states.map((state) => ({ ...rest, buyer_id, state })));
  if (each.length === 0) return Promise.resolve({ docs: [], next: null });
  return read(each, DELIVERIES_OF_BUYER);
}

/** More than any lead has. */
const ROWS_OF_LEAD_MAX = 1_000;

/** The few deliveries of a lead are read by their ids, and put in order here. */
async function readOfLead(
  deliveries: Collection<DeliveryDoc>,
  {
    states,
    lead_id,
    ...rest
  }: Filter<DeliveryDoc> & { lead_id: string } & Pick<DeliveryFilter, 'states'>,
  { after, limit }: Wanted,
): Promise<Found<DeliveryDoc>> {
  const rows = await deliveries
    .find({ ...rest, _id: rowIdsOf(lead_id), state: { $in: [...states] } }, { projection: SHOWN })
    .limit(ROWS_OF_LEAD_MAX)
    .toArray();
  const sorted = rows.sort((a, b) => Number(b.created_at) - Number(a.created_at) || b.n - a.n);
  const start = after === null ? 0 : 1 + sorted.findIndex(({ _id }) => _id === after.id);
  const docs = sorted.slice(start, start + limit);
  const last = docs.at(-1);
  const isMore = sorted.length > start + limit;
  return { docs, next: isMore && last ? { at: last.created_at, id: last._id } : null };
}

/** Null when the organization has no such delivery. */
export const findDelivery = (
  deliveries: Collection<DeliveryDoc>,
  org_id: string,
  id: string,
): Promise<DeliveryDoc | null> => deliveries.findOne({ _id: id, org_id });
