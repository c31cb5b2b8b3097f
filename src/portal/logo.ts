/** The logos of portals: a PNG or a JPEG, kept by what it holds. */
import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import { Binary } from 'mongodb';
import { invalidValue } from '../account/values.js';
import type { LogoDoc } from './store/portalDocs.js';
import type { PortalCollections } from './store/collections.js';

const BYTES_MAX = 200_000;
const PIXELS_MAX = 2_000;
/** Most characters of one as base64, with what may stand before it. */
export const LOGO_TEXT_MAX = Math.ceil(BYTES_MAX / 3) * 4 + 100;

/** How files of each kind begin. */
const KINDS = [
  { type: 'image/png', begin: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { type: 'image/jpeg', begin: Buffer.from([0xff, 0xd8, 0xff]) },
] as const;

/**
 * The logo that a text holds, and the id that it is kept by.
 * @param text base64, or a `data:` address of it
 * @throws {AppError} `validation_failed` for what is no PNG or JPEG, or too large
 */
export function readLogo(text: string, orgId: string, now: Date): { id: string; doc: LogoDoc } {
  const base64 = text.replace(/^data:image\/(?:png|jpeg);base64,/, '').replace(/\s/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw invalidValue('logo', 'invalid_format', 'logo must be a PNG or JPEG file in base64.');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > BYTES_MAX)
    throw invalidValue(
      'logo',
      'too_long',
      `logo must have at most ${BYTES_MAX} bytes; it has ${bytes.length}.`,
    );
  const kind = KINDS.find(({ begin }) => bytes.subarray(0, begin.length).equals(begin));
  if (!kind)
    throw invalidValue('logo', 'invalid_format', 'logo must be a PNG or JPEG; it is neither.');
  const { width, height } = sizeOf(bytes);
  if (Math.max(width, height) > PIXELS_MAX)
    throw invalidValue(
      'logo',
      'out_of_range',
      `logo must be at most ${PIXELS_MAX} × ${PIXELS_MAX} pixels; it is ${width} × ${height}.`,
    );
  const id = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const doc: LogoDoc = {
    _id: `${orgId}:${id}`,
    org_id: orgId,
    type: kind.type,
    bytes: new Binary(bytes),
    created_at: now,
  };
  return { id, doc };
}

function sizeOf(bytes: Buffer): { width: number; height: number } {
  try {
    return imageSize(bytes);
  } catch {
    throw invalidValue('logo', 'invalid_format', 'logo is damaged: its size cannot be read.');
  }
}

/** Keeps it; a logo that is there already stays. */
export async function keepLogo(
  { portalLogos }: Pick<PortalCollections, 'portalLogos'>,
  { _id, ...doc }: LogoDoc,
): Promise<void> {
  await portalLogos.updateOne({ _id }, { $setOnInsert: doc }, { upsert: true });
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
