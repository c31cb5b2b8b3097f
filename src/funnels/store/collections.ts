/** The collections of `src/funnels` and of the folders below it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { portalCollections, type PortalCollections } from '../../portal/store/collections.js';
import type {
  ConsentDoc,
  FunnelAssetDoc,
  FunnelCountDoc,
  FunnelDoc,
  FunnelVersionDoc,
} from './funnelDocs.js';

export interface FunnelCollections extends PortalCollections {
  funnels: Collection<FunnelDoc>;
  funnelVersions: Collection<FunnelVersionDoc>;
  funnelAssets: Collection<FunnelAssetDoc>;
  funnelCounts: Collection<FunnelCountDoc>;
  consents: Collection<ConsentDoc>;
}

export const funnelCollections = (db: Db): FunnelCollections => ({
  ...portalCollections(db),
  funnels: db.collection('funnels'),
  funnelVersions: db.collection('funnel_versions'),
  funnelAssets: db.collection('funnel_assets'),
  funnelCounts: db.collection('funnel_counts'),
  consents: db.collection('consents'),
});
