/** The logos of portals: a PNG or a JPEG, kept by what it holds. */
import { Binary } from 'mongodb';
import { readPicture } from '../account/picture.js';
import type { LogoDoc } from './store/portalDocs.js';
import type { PortalCollections } from './store/collections.js';

/**
 * Stores the logo that a text holds; an existing one stays as it is.
 * @param text base64, or a `data:` address of it
 * @returns the id that it is kept by
 * @throws {AppError} `validation_failed` for what is no PNG or JPEG, or too large
 */
export async function keepLogo(
  { portalLogos }: Pick<PortalCollections, 'portalLogos'>,
  orgId: string,
  text: string,
  created_at: Date,
): Promise<string> {
  const { type, bytes, hash } = readPicture('logo', text, ['PNG', 'JPEG']);
  const id = hash.slice(0, 32);
  const $setOnInsert = { org_id: orgId, type, bytes: new Binary(bytes), created_at };
  await portalLogos.updateOne({ _id: `${orgId}:${id}` }, { $setOnInsert }, { upsert: true });
  return id;
}

/** A file as it is served; null where there is none. */
export async function findLogo(
  { portalLogos }: Pick<PortalCollections, 'portalLogos'>,
  orgId: string,
  logoId: string,
): Promise<{ type: LogoDoc['type']; bytes: Buffer } | null> {
  const found = await portalLogos.findOne({ _id: `${orgId}:${logoId}` });
  return found && { type: found.type, bytes: Buffer.from(found.bytes.buffer) };
}

/** Removes a logo that no portal of the organization shows any more. */
export async function dropUnusedLogo(
  { portalLogos, portalSettings }: Pick<PortalCollections, 'portalLogos' | 'portalSettings'>,
  orgId: string,
  logoId: string,
): Promise<void> {
  const shown = { org_id: orgId, logo_id: logoId };
  if (await portalSettings.findOne(shown, { projection: { _id: 1 } })) return;
  await portalLogos.deleteOne({ _id: `${orgId}:${logoId}` });
}
