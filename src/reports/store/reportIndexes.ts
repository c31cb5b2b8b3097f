/** The indexes that reports and their upkeep need. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const REPORT_INDEXES: readonly IndexRow[] = [
  {
    collection: 'leads',
    key: { uncounted: 1, org_id: 1 },
    options: { partialFilterExpression: { uncounted: true } },
    serves:
      'roll-ups: leads whose latest change reports do not count yet; of one organization, or any',
  },
  {
    collection: 'rollups',
    key: { org_id: 1, facet: 1, day: 1 },
    serves: 'reports of an organization',
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
    serves: 'reconcile: days to compare with their leads',
  },
  {
    collection: 'pings',
    key: { uncounted: 1, org_id: 1 },
    options: { partialFilterExpression: { uncounted: true } },
    serves:
      'roll-ups: pings whose latest change reports do not count yet; of one organization, or any',
  },
  {
    collection: 'pings',
    key: { campaign_id: 1, created_at: 1 },
    serves: 'reconcile: those of a day, to compare the roll-ups with',
  },
  {
    collection: 'ping_rollups',
    key: { org_id: 1, facet: 1, day: 1 },
    serves: 'reports of the pings of an organization',
  },
  {
    collection: 'ping_rollups',
    key: { campaign_id: 1, facet: 1, day: 1 },
    serves: 'reports of the pings of a campaign; reconcile: all of a day',
  },
  {
    collection: 'ping_rollups',
    key: { org_id: 1, supplier_id: 1, facet: 1, day: 1 },
    options: { partialFilterExpression: { supplier_id: { $exists: true } } },
    serves: 'reports of the pings of a supplier',
  },
  {
    collection: 'ping_rollups',
    key: { org_id: 1, buyer_id: 1, facet: 1, day: 1 },
    options: { partialFilterExpression: { buyer_id: { $exists: true } } },
    serves: 'reports of the pings of a buyer',
  },
  {
    collection: 'ping_rollups',
    key: { recount_at: 1 },
    options: { partialFilterExpression: { recount_at: { $exists: true } } },
    serves: 'reconcile: days to compare with their pings',
  },
  {
    collection: 'deliveries',
    key: { uncounted: 1, buyer_id: 1, created_at: 1 },
    options: { partialFilterExpression: { uncounted: true } },
    serves:
      'kept days of attempts: those with attempts that have changed since; of one buyer, or any',
  },
  {
    collection: 'attempt_days',
    key: { stale_at: 1 },
    options: { partialFilterExpression: { stale_at: { $exists: true } } },
    serves: 'kept days of attempts: those to be counted again',
  },
  {
    collection: 'attempt_days',
    key: { recount_at: 1 },
    options: { partialFilterExpression: { recount_at: { $exists: true } } },
    serves: 'reconcile: days to compare with their attempts',
  },
  {
    collection: 'attempt_spans',
    key: { due_at: 1 },
    serves: 'kept days of attempts: buyers with a day that is over',
  },
];
