/** Reads the body of a request into one object: JSON or form-encoded, whole or gzipped. */
import { AppError } from '../../errors.js';
import type { Context, Middleware } from '../context.js';
import { inflate } from '../inflate.js';
import { parseBody, parseValue } from '../parseBody.js';
import { readBytes } from '../readBytes.js';

/** Bytes, both as sent and inflated. */
const LIMIT = 256 * 1024;

export const body: Middleware = async (ctx, next) => {
  ctx.state.body = await readBody(ctx, { isOptional: false });
  await next();
};

/** @throws {AppError} `malformed_body`, `body_too_large`, `unsupported_media_type`, `request_timeout` */
export async function readBody(
  ctx: Context,
  { isOptional }: { isOptional: boolean },
): Promise<Record<string, unknown>> {
  const bytes = await read(ctx);
  if (bytes) return parseBody(bytes, ctx.get('content-type'));
  if (isOptional) return {};
  throw new AppError('malformed_body', 'The body is empty; send one JSON object.');
}

/**
 * Any JSON value, arrays too.
 * @throws {AppError} as `readBody`
 */
export async function readJson(ctx: Context): Promise<unknown> {
  const bytes = await read(ctx);
  if (bytes) return parseValue(bytes, ctx.get('content-type'));
  throw new AppError('malformed_body', 'The body is empty; send JSON.');
}

/** null for an empty body. */
async function read(ctx: Context): Promise<Buffer | null> {
  const sent = await readBytes(ctx.req, LIMIT);
  if (sent.length === 0) return null;
  const encoding = ctx.get('content-encoding');
  return encoding === '' ? sent : inflate(sent, encoding, LIMIT);
}
