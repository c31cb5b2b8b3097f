/** The indexes that reports and their upkeep need. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

/** A document without the field is not in the index. */
const having = (field: string): IndexRow['options'] => ({
  partialFilterExpression: { [field]: { $exists: true } },
});

const UNCOUNTED = { partialFilterExpression: { uncounted: true } };

/** Of the sums of leads, or of pings. */
const ofRollups = (
  items: 'leads' | 'pings',
  collection: 'rollups' | 'ping_rollups',
  reports: string,
): IndexRow[] => [
  {
    collection: items,
    key: { uncounted: 1, org_id: 1 },
    options: UNCOUNTED,
    serves: `roll-ups: ${items} whose latest change reports do not count yet; of one organization, or any`,
  },
  {
    collection,
    key: { org_id: 1, facet: 1, day: 1 },
    serves: `${reports} of an organization`,
  },
  {
    collection,
    key: { campaign_id: 1, facet: 1, day: 1 },
    serves: `${reports} of a campaign; reconcile: all of a day`,
  },
  {
    collection,
    key: { org_id: 1, supplier_id: 1, facet: 1, day: 1 },
    options: having('supplier_id'),
    serves: `${reports} of a supplier`,
  },
  {
    collection,
    key: { org_id: 1, buyer_id: 1, facet: 1, day: 1 },
    options: having('buyer_id'),
    serves: `${reports} of a buyer`,
  },
  {
    collection,
    key: { recount_at: 1 },
    options: having('recount_at'),
    serves: `reconcile: days to compare with their ${items}`,
  },
];

export const REPORT_INDEXES: readonly IndexRow[] = [
  ...ofRollups('leads', 'rollups', 'reports'),
  ...ofRollups('pings', 'ping_rollups', 'reports of the pings'),
  {
    collection: 'pings',
    key: { campaign_id: 1, created_at: 1 },
    serves: 'reconcile: those of a day, to compare the roll-ups with',
  },
  {
    collection: 'deliveries',
    key: { uncounted: 1, buyer_id: 1, created_at: 1 },
    options: UNCOUNTED,
    serves:
      'kept days of attempts: those with attempts that have changed since; of one buyer, or any',
  },
  {
    collection: 'attempt_days',
    key: { stale_at: 1 },
    options: having('stale_at'),
    serves: 'kept days of attempts: those to be counted again',
  },
  {
    collection: 'attempt_days',
    key: { recount_at: 1 },
    options: having('recount_at'),
    serves: 'reconcile: days to compare with their attempts',
  },
  {
    collection: 'attempt_spans',
    key: { due_at: 1 },
    serves: 'kept days of attempts: buyers with a day that is over',
  },
];
