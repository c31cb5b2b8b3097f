/** Pictures that people upload: identified by their first bytes, and limited in size. */
import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import type { FieldErrorCode } from '../lib/errors.js';
import { PICTURE_BYTES_MAX, PICTURE_PIXELS_MAX } from './rules/pictureSize.js';
import { invalidValue } from './values.js';

const PNG_BEGIN = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_BEGIN = Buffer.from([0xff, 0xd8, 0xff]);

/** The first bytes of each kind. */
const IS_KIND = {
  PNG: (bytes: Buffer): boolean => bytes.subarray(0, PNG_BEGIN.length).equals(PNG_BEGIN),
  JPEG: (bytes: Buffer): boolean => bytes.subarray(0, JPEG_BEGIN.length).equals(JPEG_BEGIN),
  WebP: (bytes: Buffer): boolean =>
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
} as const;
export type PictureKind = keyof typeof IS_KIND;

const TYPES = { PNG: 'image/png', JPEG: 'image/jpeg', WebP: 'image/webp' } as const;

export interface Picture<K extends PictureKind> {
  type: (typeof TYPES)[K];
  bytes: Buffer;
  /** SHA-256 of the bytes, hex. */
  hash: string;
}

/**
 * The picture that a text holds.
 * @param field the field that a refusal names
 * @param text base64, or a `data:` address of it
 * @throws {AppError} `validation_failed` on `field` for text of another kind, damaged, or too large
 */
export function readPicture<K extends PictureKind>(
  field: string,
  text: string,
  kinds: readonly K[],
): Picture<K> {
  const refusal = (code: FieldErrorCode, rule: string) =>
    invalidValue(field, code, `${field} ${rule}`);
  const named = kinds.join(' or ');
  const base64 = text.replace(/^data:image\/[a-z]+;base64,/, '').replace(/\s/g, '');
  if (base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    throw refusal('invalid_format', `must be a ${named} file in base64.`);
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > PICTURE_BYTES_MAX)
    throw refusal(
      'too_long',
      `must have at most ${PICTURE_BYTES_MAX} bytes; it has ${bytes.length}.`,
    );
  const kind = kinds.find((one) => IS_KIND[one](bytes));
  if (!kind) throw refusal('invalid_format', `must be a ${named} picture; it is none.`);
  const size = readSize(bytes);
  if (!size)
    throw refusal('invalid_format', 'is damaged: its size cannot be read. Save the picture anew.');
  const { width, height } = size;
  if (Math.max(width, height) > PICTURE_PIXELS_MAX) {
    const most = `${PICTURE_PIXELS_MAX} × ${PICTURE_PIXELS_MAX}`;
    throw refusal('out_of_range', `must be at most ${most} pixels; it is ${width} × ${height}.`);
  }
  return { type: TYPES[kind], bytes, hash: createHash('sha256').update(bytes).digest('hex') };
}

/** Null: it is damaged. */
function readSize(bytes: Buffer): { width: number; height: number } | null {
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}
