/** Checks that the URL of a request can be parsed: any later use of the path of a broken one would throw. */
import { AppError } from '../../../lib/errors.js';
import type { Context, Middleware } from '../context.js';

export const target: Middleware = (ctx, next) => {
  if (!hasPath(ctx)) {
    throw new AppError('malformed_request', 'The target of the request is not a valid URL.');
  }
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new AppError('malformed_request', 'The Host header is missing; HTTP/1.1 requires it.');
  }
  return next();
};

function hasPath(ctx: Context): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
