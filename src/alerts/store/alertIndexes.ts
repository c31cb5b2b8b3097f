/** The indexes of alerts. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

export const IS_OPEN = { open: true } as const;

export const ALERT_INDEXES: readonly IndexRow[] = [
  index('alerts', { 'untold.created_at': 1 }, 'alerts with events that are not published yet', {
    sparse: true,
  }),
  index('alerts', { kind: 1, open: 1 }, 'those of a kind that are not over', {
    partialFilterExpression: IS_OPEN,
  }),
  index('alerts', { kept_until: 1 }, 'deleting alerts whose window is over', {
    expireAfterSeconds: 0,
  }),
];
