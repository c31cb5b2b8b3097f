/** The one place that catches: an `AppError` becomes its status and body, anything else a plain 500. */
import { AppError, internal } from '../../../lib/errors.js';
import type { Middleware } from '../context.js';
import { errorBody, retryAfterOf } from '../errorBody.js';
import { dropUnread } from '../readBytes.js';

export const errors: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (thrown) {
    const error = thrown instanceof AppError ? thrown : internal(thrown);
    const retryAfter = retryAfterOf(error);
    ctx.state.failure = error;
    ctx.status = error.status;
    if (error.extras.headers) ctx.set(error.extras.headers);
    if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
    const body = errorBody(error, ctx.state.requestId);
    ctx.body = ctx.state.isEnveloped === true ? { success: false, ...body } : body;
    dropUnread(ctx.req);
  }
};
