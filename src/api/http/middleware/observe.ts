/** Counts and times every request; logs it at debug, and at warn when the fault is ours. */
import type { Context, Middleware } from '../context.js';
import type { HttpDeps } from '../deps.js';

export function observe({ log, metrics }: Pick<HttpDeps, 'log' | 'metrics'>): Middleware {
  return async (ctx, next) => {
    ctx.state.receivedAt = performance.now();
    await next();
    const ms = performance.now() - ctx.state.receivedAt;
    const labels = {
      endpoint: ctx.state.endpoint ?? 'none',
      status: ctx.res.destroyed ? 'closed' : String(ctx.status),
    };
    metrics.httpRequests.inc(labels);
    metrics.httpSeconds.observe(labels, ms / 1000);
    if (ctx.status >= 500) log.warn(lineOf(ctx, ms), 'request failed');
    else if (log.isLevelEnabled('debug')) log.debug(lineOf(ctx, ms), 'request');
  };
}

/** The path without its query, which may name a person, and without the token of a link. */
function lineOf(ctx: Context, ms: number): Record<string, unknown> {
  const { failure } = ctx.state;
  return {
    request_id: ctx.state.requestId,
    method: ctx.method,
    path: ctx.state.shownPath ?? ctx.originalUrl.split('?', 1)[0],
    status: ctx.status,
    ms: Math.round(ms * 10) / 10,
    ip: ctx.ip,
    closed: ctx.res.destroyed || undefined,
    reason: failure?.message,
    err: failure?.cause,
  };
}
