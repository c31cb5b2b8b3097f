/** Every request has an id: the caller's own when it is plain enough to be logged, or a new one. */
import { randomUUID } from 'node:crypto';
import type { Middleware } from '../context.js';

const USABLE = /^[\x21-\x7e]{1,100}$/;

export const requestId: Middleware = (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state.requestId = USABLE.test(given) ? given : randomUUID();
  ctx.set('x-request-id', ctx.state.requestId);
  return next();
};
