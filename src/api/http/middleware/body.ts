/** Reads the body of a request into one object: JSON or form-encoded, whole or gzipped. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { AppError } from '../../../lib/errors.js';
import type { Context, Middleware } from '../context.js';
import { parseBody, parseMessages, parseObject } from '../parseBody.js';
import { readBytes, tooLarge } from '../readBytes.js';

/** Bytes, both as sent and inflated. */
const BODY_MAX_BYTES = 256 * 1024;

/** @throws {AppError} `malformed_body`, `body_too_large`, `unsupported_media_type`, `request_timeout`, `unauthorized` */
export const body: Middleware = async (ctx, next) => {
  try {
    const bytes = await read(ctx);
    if (!bytes) throw new AppError('malformed_body', 'The body is empty; send one JSON object.');
    ctx.state.body = parseBody(bytes, ctx.get('content-type'));
  } catch (error) {
    // A key revoked a moment ago gets the same 401 here as with a readable body.
    await ctx.state.confirm?.();
    throw error;
  }
  await next();
};

/**
 * One JSON object; of an empty body `{}`.
 * @throws {AppError} as `body`
 */
export async function readObject(
  ctx: Context,
  max = BODY_MAX_BYTES,
): Promise<Record<string, unknown>> {
  const bytes = await read(ctx, max);
  return bytes ? parseObject(bytes, ctx.get('content-type')) : {};
}

/**
 * Any JSON value, arrays too.
 * @throws {AppError} as `body`
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const bytes = await read(ctx);
  if (bytes) return parseMessages(bytes, ctx.get('content-type'));
  throw new AppError('malformed_body', 'The body is empty; send JSON.');
}

/**
 * The bytes as received, of any kind.
 * @throws {AppError} `body_too_large`, `malformed_body`; `unsupported_media_type` for a packed body
 */
export async function readRaw(ctx: Context, max: number): Promise<Buffer> {
  const encoding = ctx.get('content-encoding').trim().toLowerCase();
  if (encoding !== '' && encoding !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      'Send the file as it is, without Content-Encoding.',
    );
  }
  return readBytes(ctx.req, max);
}

/** null for an empty body. */
async function read(ctx: Context, max = BODY_MAX_BYTES): Promise<Buffer | null> {
  const sent = await readBytes(ctx.req, max);
  if (sent.length === 0) return null;
  const encoding = ctx.get('content-encoding');
  return encoding === '' ? sent : inflate(sent, encoding, max);
}

// Content-Encoding: gzip and identity are supported.

const unzip = promisify(gunzip);

/**
 * @param limit bytes after inflation; a small archive of a huge text stops there
 * @throws {AppError} `unsupported_media_type`, `body_too_large`, `malformed_body`
 */
async function inflate(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
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
