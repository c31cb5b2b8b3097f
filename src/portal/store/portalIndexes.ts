/** The indexes of the portal. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

export const PORTAL_INDEXES: readonly IndexRow[] = [
  {
    collection: 'portal_settings',
    key: { org_id: 1, created_at: -1, _id: -1, is_enabled: 1, side: 1 },
    serves: "an organization's portals, newest first, without reading those that are closed",
  },
  {
    collection: 'change_requests',
    key: { org_id: 1, created_at: -1, _id: -1, state: 1, side: 1, party_id: 1 },
    serves:
      "an organization's change requests, newest first; those of a state or a partner, without reading the others",
  },
  {
    collection: 'change_requests',
    key: { org_id: 1, party_id: 1, created_at: -1, _id: -1 },
    serves: "a partner's change requests, newest first",
  },
  {
    collection: 'change_requests',
    key: { resolved_at: 1 },
    options: { partialFilterExpression: { owed: true } },
    serves: 'reconcile: approved requests whose terms may not have been changed yet',
  },
];
