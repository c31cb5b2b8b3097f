/** The indexes that reports and their upkeep need. */
import type { IndexRow } from './indexRow.js';

export const REPORT_INDEXES: readonly IndexRow[] = [
  {
    collection: 'leads',
    key: { uncounted: 1, org_id: 1 },
    options: { partialFilterExpression: { uncounted: true } },
    serves: 'roll-ups: leads that reports do not count as they are; of one organisation, or any',
  },
  {
    collection: 'rollups',
    key: { org_id: 1, facet: 1, day: 1 },
    serves: 'reports of an organisation',
  },
  {
    collection: 'rollups',
    key: { campaign_id: 1, facet: 1, day: 1 },
    serves: 'reports of a campaign; reconcile: all of a day',
  },
  {
    collection: 'rollups',
    key: { org_id: 1, supplier_id: 1, facet: 1, day: 1 },
    options: { partialFilterExpression: { supplier_id: { $exists: true } } },
    serves: 'reports of a supplier',
  },
  {
    collection: 'rollups',
    key: { org_id: 1, buyer_id: 1, facet: 1, day: 1 },
    options: { partialFilterExpression: { buyer_id: { $exists: true } } },
    serves: 'reports of a buyer',
  },
  {
    collection: 'rollups',
    key: { recount_at: 1 },
    options: { partialFilterExpression: { recount_at: { $exists: true } } },
    serves: 'reconcile: the days that are to be compared with their leads',
  },
];
