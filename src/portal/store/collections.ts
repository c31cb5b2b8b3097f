/** The collections of this room, and of the rooms before it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { ingestCollections, type IngestCollections } from '../../ingest/store/collections.js';
import type { ChangeRequestDoc } from './changeRequestDocs.js';
import type { LogoDoc, PortalSettingsDoc } from './portalDocs.js';

export interface PortalCollections extends IngestCollections {
  portalSettings: Collection<PortalSettingsDoc>;
  portalLogos: Collection<LogoDoc>;
  changeRequests: Collection<ChangeRequestDoc>;
}

export const portalCollections = (db: Db): PortalCollections => ({
  ...ingestCollections(db),
  portalSettings: db.collection('portal_settings'),
  portalLogos: db.collection('portal_logos'),
  changeRequests: db.collection('change_requests'),
});
