/** The pictures of funnels as their pages load them. */
import { lruMap } from '../lib/lruMap.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelAssetDoc } from './store/funnelDocs.js';

export interface Picture {
  type: FunnelAssetDoc['type'];
  bytes: Buffer;
}

/** A picture of the organization by the SHA-256 of its bytes, hex; null where it has no such picture. */
export type FindPicture = (orgId: string, hash: string) => Promise<Picture | null>;

/** Bytes that are remembered, of all pictures together. */
const REMEMBERED_BYTES = 4_000_000;

/** Keeps pictures that are requested often in memory: their bytes never change. */
export function createFindPicture({
  funnelAssets,
}: Pick<FunnelCollections, 'funnelAssets'>): FindPicture {
  const remembered = lruMap<string, Picture>(REMEMBERED_BYTES, ({ bytes }) => bytes.length + 1);
  return async (orgId, hash) => {
    const id = `${orgId}:${hash}`;
    const known = remembered.get(id);
    if (known) return known;
    const found = await funnelAssets.findOne({ _id: id });
    if (!found) return null;
    const picture = { type: found.type, bytes: Buffer.from(found.bytes.buffer) };
    remembered.set(id, picture);
    return picture;
  };
}
