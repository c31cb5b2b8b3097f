/** The indexes of the portal. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const PORTAL_INDEXES: readonly IndexRow[] = [
  index(
    'portal_settings',
    { org_id: 1, created_at: -1, _id: -1, is_enabled: 1, side: 1 },
    "an organization's portals, newest first, without reading those that are closed",
  ),
  index(
    'change_requests',
    { org_id: 1, created_at: -1, _id: -1, state: 1, side: 1, party_id: 1 },
    "an organization's change requests, newest first; those of a state or a partner, without reading the others",
  ),
  index(
    'change_requests',
    { org_id: 1, party_id: 1, created_at: -1, _id: -1 },
    "a partner's change requests, newest first",
  ),
  index('change_requests', { org_id: 1, state: 1 }, 'how many requests wait for a decision', {
    partialFilterExpression: { state: 'pending' },
  }),
  index(
    'change_requests',
    { resolved_at: 1 },
    'reconcile: approved requests whose terms may not have been changed yet',
    { partialFilterExpression: { owed: true } },
  ),
];
