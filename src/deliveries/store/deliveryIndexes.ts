import type { DeliveryState } from './deliveryDoc.js';

/** The ids of a lead's rows: `lead:n` is between `lead:` and `lead;`. The id's index serves, and inserts keep no other. */
export const rowIdsOf = (leadId: string) => ({ $gt: `${leadId}:`, $lt: `${leadId};` });

/** Named by the query it serves. */
export const DELIVERIES_BY_DAY = {
  campaign_id: 1,
  'reserved.day': 1,
  buyer_id: 1,
  supplier_id: 1,
} as const;

/** Every state but `sending`: a row enters their index once, when its request is answered or it waits. */
export const LISTED_STATES = [
  ...(['accepted', 'rejected', 'failed', 'parked', 'unknown'] as const),
  ...(['abandoned', 'expired'] as const),
] as const satisfies readonly DeliveryState[];

/** Rows of test leads, which reserve nothing; there are few. */
export const IS_TEST = { reserved: { $type: 'null' } } as const;
export const TESTS_OF_BUYER = { buyer_id: 1, created_at: 1 } as const;

export const DELIVERIES_OF_BUYER = { buyer_id: 1, state: 1, created_at: -1, _id: -1 } as const;

/** Rows that wait, of an organization; finished ones leave the index. */
export const WAITING_OF_ORG = {
  org_id: 1,
  state: 1,
  created_at: 1,
  _id: 1,
  buyer_id: 1,
  campaign_id: 1,
  supplier_id: 1,
} as const;

/** Waiting rows of every organization, by buyer. */
export const WAITING_BY_BUYER = {
  state: 1,
  buyer_id: 1,
  created_at: -1,
  due_at: 1,
  expires_at: 1,
} as const;

/** Breakers that are not closed; a closed one leaves the index. */
export const BREAKERS = { paused_at: 1, org_id: 1 } as const;
export const IS_BROKEN = { paused_at: { $type: 'date' } } as const;
