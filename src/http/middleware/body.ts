/** Reads the body of a request into one object: JSON or form-encoded, whole or gzipped. */
import { AppError } from '../../errors.js';
import type { Middleware } from '../context.js';
import { inflate } from '../inflate.js';
import { parseBody } from '../parseBody.js';
import { readBytes } from '../readBytes.js';

/** Bytes, both as sent and inflated. */
const LIMIT = 256 * 1024;

export const body: Middleware = async (ctx, next) => {
  const sent = await readBytes(ctx.req, LIMIT);
  if (sent.length === 0) {
    throw new AppError('malformed_body', 'The body is empty; send one JSON object.');
  }
  const encoding = ctx.get('content-encoding');
  const bytes = encoding === '' ? sent : await inflate(sent, encoding, LIMIT);
  ctx.state.body = parseBody(bytes, ctx.get('content-type'));
  await next();
};
