/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { AlertDoc, AlertPassDoc } from './alertDocs.js';

export const alertCollections = (db: Db) => ({
  alerts: db.collection<AlertDoc>('alerts'),
  alertPasses: db.collection<AlertPassDoc>('alert_passes'),
});
export type AlertCollections = ReturnType<typeof alertCollections>;
