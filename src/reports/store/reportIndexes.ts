/** The indexes that reports and their upkeep need. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const REPORT_INDEXES: readonly IndexRow[] = [
  index(
    'leads',
    { uncounted: 1, org_id: 1 },
    'roll-ups: leads whose latest change reports do not count yet; of one organization, or any',
    { partialFilterExpression: { uncounted: true } },
  ),
  ...indexSums('rollups', 'leads'),
  index(
    'pings',
    { uncounted: 1, org_id: 1 },
    'roll-ups: pings whose latest change reports do not count yet; of one organization, or any',
    { partialFilterExpression: { uncounted: true } },
  ),
  index(
    'pings',
    { campaign_id: 1, created_at: 1 },
    'reconcile: those of a day, to compare the roll-ups with',
  ),
  ...indexSums('ping_rollups', 'pings'),
  index(
    'deliveries',
    { uncounted: 1, buyer_id: 1, created_at: 1 },
    'kept days of attempts: those with attempts that have changed since; of one buyer, or any',
    { partialFilterExpression: { uncounted: true } },
  ),
  index('attempt_days', { stale_at: 1 }, 'kept days of attempts: those to be counted again', {
    partialFilterExpression: { stale_at: { $exists: true } },
  }),
  index('attempt_days', { recount_at: 1 }, 'reconcile: days to compare with their attempts', {
    partialFilterExpression: { recount_at: { $exists: true } },
  }),
  index('attempt_spans', { due_at: 1 }, 'kept days of attempts: buyers with a day that is over'),
];

/** Of the roll-ups of leads or pings. */
function indexSums(collection: string, items: string): IndexRow[] {
  return [
    index(collection, { org_id: 1, facet: 1, day: 1 }, `reports of an organization's ${items}`),
    index(
      collection,
      { campaign_id: 1, facet: 1, day: 1 },
      `reports of a campaign's ${items}; reconcile: all of a day`,
    ),
    index(
      collection,
      { org_id: 1, supplier_id: 1, facet: 1, day: 1 },
      `reports of a supplier's ${items}`,
      { partialFilterExpression: { supplier_id: { $exists: true } } },
    ),
    index(
      collection,
      { org_id: 1, buyer_id: 1, facet: 1, day: 1 },
      `reports of a buyer's ${items}`,
      { partialFilterExpression: { buyer_id: { $exists: true } } },
    ),
    index(collection, { recount_at: 1 }, `reconcile: days to compare with their ${items}`, {
      partialFilterExpression: { recount_at: { $exists: true } },
    }),
  ];
}
