/** The pictures of a definition: stored by their content, and named in it by their hash. */
import { Binary } from 'mongodb';
import type { AccountContext } from '../account/context.js';
import { readPicture } from '../account/picture.js';
import { invalidValue } from '../account/values.js';
import { unavailable } from '../lib/errors.js';
import { lruMap } from '../lib/lruMap.js';
import { FunnelDefinition } from './rules/definition.js';
import type { FunnelCollections } from './store/collections.js';
import type { FunnelAssetDoc } from './store/funnelDocs.js';

type Assets = { collections: Pick<FunnelCollections, 'funnelAssets'>; orgId: string };

const NAMED = /^asset:([0-9a-f]{64})$/;

/** The hash of a picture that a stored definition names; null for anything else. */
const assetHash = (picture: string): string | null => NAMED.exec(picture)?.[1] ?? null;

/**
 * The definition with each of its pictures replaced.
 * @param replace receives the picture, and the path to it such as `definition.blocks[0].image`
 */
function mapPictures(
  definition: FunnelDefinition,
  replace: (picture: string, path: string) => string,
): FunnelDefinition {
  const { theme, blocks } = definition;
  const logoUrl =
    theme.logoUrl === null ? null : replace(theme.logoUrl, 'definition.theme.logoUrl');
  return {
    ...definition,
    theme: { ...theme, logoUrl },
    blocks: blocks.map((block, n) =>
      block.type === 'hero' && block.image !== undefined
        ? { ...block, image: replace(block.image, `definition.blocks[${n}].image`) }
        : block,
    ),
  };
}

/**
 * Keeps the pictures that come with their bytes, and returns the definition that names them.
 * @throws {AppError} `validation_failed` at the first that is no PNG, JPEG or WebP, is damaged or too large, or names a
 * picture that the organization does not have
 */
export async function keepPictures(
  { collections, orgId, clock }: Assets & Pick<AccountContext, 'clock'>,
  definition: FunnelDefinition,
): Promise<FunnelDefinition> {
  const sent = new Map<string, FunnelAssetDoc>();
  const names = new Map<string, string>();
  const named = mapPictures(definition, (picture, path) => {
    const known = assetHash(picture);
    if (known !== null) {
      names.set(known, path);
      return picture;
    }
    const { type, bytes, hash } = readPicture(path, picture, ['PNG', 'JPEG', 'WebP']);
    const _id = assetId(orgId, hash);
    sent.set(hash, { _id, org_id: orgId, type, bytes: new Binary(bytes), created_at: clock.now() });
    return `asset:${hash}`;
  });
  await requireKept({ collections, orgId }, names);
  const writes = [...sent.values()].map(({ _id, ...doc }) => ({
    updateOne: { filter: { _id }, update: { $setOnInsert: doc }, upsert: true },
  }));
  if (writes.length > 0) await collections.funnelAssets.bulkWrite(writes, { ordered: false });
  return named;
}

/** @param names the hashes of pictures, and where the definition names them */
async function requireKept(
  { collections: { funnelAssets }, orgId }: Assets,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  if (names.size === 0) return;
  const ids = [...names.keys()].map((hash) => assetId(orgId, hash));
  const kept = await funnelAssets.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
  const known = new Set(kept.map(({ _id }) => _id));
  for (const [hash, path] of names) {
    if (known.has(assetId(orgId, hash))) continue;
    const rule = 'must be a picture as a data: address, or the name of one that was sent before';
    throw invalidValue(path, 'not_allowed', `${path} ${rule}.`);
  }
}

/**
 * The definition with its pictures as `data:` addresses, for another account.
 * @throws {AppError} `unavailable` when a picture is missing
 */
export async function showPictures(
  { collections: { funnelAssets }, orgId }: Assets,
  definition: FunnelDefinition,
): Promise<FunnelDefinition> {
  const ids = new Set<string>();
  mapPictures(definition, (picture) => {
    const hash = assetHash(picture);
    if (hash !== null) ids.add(assetId(orgId, hash));
    return picture;
  });
  if (ids.size === 0) return definition;
  const assets = await funnelAssets.find({ _id: { $in: [...ids] } }).toArray();
  const byId = new Map(assets.map((asset) => [asset._id, asset]));
  return mapPictures(definition, (picture) => {
    const hash = assetHash(picture);
    if (hash === null) return picture;
    const asset = byId.get(assetId(orgId, hash));
    if (!asset) throw unavailable('A picture of this funnel cannot be read now.');
    return `data:${asset.type};base64,${Buffer.from(asset.bytes.buffer).toString('base64')}`;
  });
}

/** Bytes that are remembered, of all pictures together. */
const REMEMBERED_BYTES = 4_000_000;

interface Picture {
  type: FunnelAssetDoc['type'];
  bytes: Buffer;
}

/** A picture of the organization by the SHA-256 of its bytes, hex; null where it has no such picture. */
export type FindPicture = ReturnType<typeof createFindPicture>;

/** Keeps pictures that pages load often in memory: their bytes never change. */
export function createFindPicture({ funnelAssets }: Assets['collections']) {
  const remembered = lruMap<string, Picture>(REMEMBERED_BYTES, ({ bytes }) => bytes.length + 1);
  return async (orgId: string, hash: string): Promise<Picture | null> => {
    const id = assetId(orgId, hash);
    const known = remembered.get(id);
    if (known) return known;
    const found = await funnelAssets.findOne({ _id: id });
    if (!found) return null;
    const picture = { type: found.type, bytes: Buffer.from(found.bytes.buffer) };
    remembered.set(id, picture);
    return picture;
  };
}

const assetId = (orgId: string, hash: string): string => `${orgId}:${hash}`;

/**
 * A definition as the database has it, with the settings that newer releases have added at their defaults. One that the
 * schema can no longer read is returned unchanged.
 */
export function readStored(stored: FunnelDefinition): FunnelDefinition {
  const read = FunnelDefinition.safeParse(stored);
  return read.success ? read.data : stored;
}
