/** Content-Encoding: gzip and identity are understood. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../lib/errors.js';
import { tooLarge } from './readBytes.js';

const unzip = promisify(gunzip);

/**
 * @param limit bytes after inflation; a small archive of a huge text stops there
 * @throws {AppError} `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
export async function inflate(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity') return bytes;
  if (name !== 'gzip' && name !== 'x-gzip') {
    throw new AppError(
      'unsupported_media_type',
      'This Content-Encoding is not supported; use gzip, or leave the header out.',
    );
  }
  try {
    return await unzip(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw new AppError('malformed_body', 'The body is not valid gzip, as Content-Encoding says.');
  }
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
