/** Named by the query it serves. */
export const DELIVERIES_BY_DAY = {
  campaign_id: 1,
  'reserved.day': 1,
  buyer_id: 1,
  supplier_id: 1,
} as const;
