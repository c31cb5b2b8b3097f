/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { ChangeRequestDoc } from './changeRequestDocs.js';
import type { LogoDoc, PortalSettingsDoc } from './portalDocs.js';

export const portalCollections = (db: Db) => ({
  portalSettings: db.collection<PortalSettingsDoc>('portal_settings'),
  portalLogos: db.collection<LogoDoc>('portal_logos'),
  changeRequests: db.collection<ChangeRequestDoc>('change_requests'),
});
export type PortalCollections = ReturnType<typeof portalCollections>;
