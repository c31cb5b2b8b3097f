/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type {
  ConsentDoc,
  FunnelAssetDoc,
  FunnelCountDoc,
  FunnelDoc,
  FunnelVersionDoc,
} from './funnelDocs.js';

export const funnelCollections = (db: Db) => ({
  funnels: db.collection<FunnelDoc>('funnels'),
  funnelVersions: db.collection<FunnelVersionDoc>('funnel_versions'),
  funnelAssets: db.collection<FunnelAssetDoc>('funnel_assets'),
  funnelCounts: db.collection<FunnelCountDoc>('funnel_counts'),
  consents: db.collection<ConsentDoc>('consents'),
});
export type FunnelCollections = ReturnType<typeof funnelCollections>;
