/** The indexes of funnels. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const FUNNEL_INDEXES: readonly IndexRow[] = [
  {
    collection: 'funnels',
    key: { slug: 1 },
    options: { unique: true },
    serves: 'the page of an address; no address belongs to two funnels',
  },
  {
    collection: 'funnels',
    key: { org_id: 1, name: 1 },
    options: { unique: true },
    serves: 'no name belongs to two funnels of an organization',
  },
  {
    collection: 'funnels',
    key: { org_id: 1, created_at: -1, _id: -1 },
    serves: "an organization's funnels, newest first",
  },
  {
    collection: 'funnels',
    key: { org_id: 1, status: 1, created_at: -1, _id: -1 },
    serves: 'those of one status, newest first',
  },
  {
    collection: 'funnels',
    key: { org_id: 1, campaign_id: 1, created_at: -1, _id: -1 },
    serves: 'those of one campaign, newest first',
  },
  {
    collection: 'funnels',
    key: { campaign_id: 1, status: 1 },
    serves: 'published funnels of a campaign whose mapping is to change',
  },
  {
    collection: 'funnel_counts',
    key: { funnel_id: 1, day: 1 },
    serves: "a funnel's counts by day",
  },
  {
    collection: 'leads',
    key: { 'origin.funnel_id': 1, created_at: -1 },
    options: { partialFilterExpression: { 'origin.funnel_id': { $exists: true } } },
    serves: "a funnel's leads, for its figures",
  },
  {
    collection: 'consents',
    key: { lead_id: 1 },
    options: { partialFilterExpression: { lead_id: { $exists: true } } },
    serves: 'the consent of a lead',
  },
];
