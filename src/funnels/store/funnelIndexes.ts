/** The indexes of funnels. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const FUNNEL_INDEXES: readonly IndexRow[] = [
  index('funnels', { slug: 1 }, 'the page of an address; no address belongs to two funnels', {
    unique: true,
  }),
  index('funnels', { org_id: 1, name: 1 }, 'no name belongs to two funnels of an organization', {
    unique: true,
  }),
  index(
    'funnels',
    { org_id: 1, created_at: -1, _id: -1 },
    "an organization's funnels, newest first",
  ),
  index(
    'funnels',
    { org_id: 1, status: 1, created_at: -1, _id: -1 },
    'those of one status, newest first',
  ),
  index(
    'funnels',
    { org_id: 1, campaign_id: 1, created_at: -1, _id: -1 },
    'those of one campaign, newest first',
  ),
  index(
    'funnels',
    { campaign_id: 1, status: 1 },
    'published funnels of a campaign whose mapping is to change',
  ),
  index('funnel_counts', { funnel_id: 1, day: 1 }, "a funnel's counts by day"),
  index('leads', { 'origin.funnel_id': 1, created_at: -1 }, "a funnel's leads, for its figures", {
    partialFilterExpression: { 'origin.funnel_id': { $exists: true } },
  }),
  index('consents', { lead_id: 1 }, 'the consent of a lead', {
    partialFilterExpression: { lead_id: { $exists: true } },
  }),
];
