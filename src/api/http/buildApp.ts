/** The structure of every Koa application: outer middleware in order, then a table of endpoints. */
import Koa from 'koa';
import type { State, Middleware, Context } from './context.js';
import type { ProcessDeps } from './deps.js';
import {
  callOf,
  createRouter,
  isEnveloped,
  send,
  type Authenticate,
  type Call,
  type Endpoint,
  type Reply,
} from './endpoint.js';
import { browserHeaders } from './middleware/browserHeaders.js';
import { observe } from './middleware/observe.js';
import { randomUUID } from 'node:crypto';
import { AppError, internal } from '../../lib/errors.js';
import { errorBody, retryAfterOf } from './errorBody.js';
import { dropUnread } from './readBytes.js';

/** Shows a browser that there is nothing at an address; undefined: it gets what programs get. */
export type Lost = (error: AppError, call: Call) => Reply | undefined;

export interface AppParts {
  enter?: Authenticate;
  lost?: Lost;
}

export function buildApp<D extends ProcessDeps>(
  table: readonly Endpoint<D>[],
  deps: D,
  { enter, lost }: AppParts = {},
): Koa<State> {
  // The proxy itself has seen the last address of X-Forwarded-For; any client may forge those before it.
  const app = new Koa<State>({ proxy: deps.trustProxy, maxIpsCount: 1 });
  // Only broken connections arrive here: the `errors` middleware has caught everything else.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection lost'));
  const { forwarded } = deps;
  if (forwarded)
    app.use((ctx, next) => {
      forwarded.see(ctx.request);
      return next();
    });
  app.use(requestId);
  app.use(browserHeaders);
  app.use(observe(deps));
  app.use(errors);
  app.use(target);
  app.use(createRouter(table, deps, enter).routes());
  app.use(unmatched(new Set(table.filter(isEnveloped).map(({ path }) => path)), lost));
  return app;
}

const USABLE = /^[\x21-\x7e]{1,100}$/;

/** Every request has an id: that of the caller where it is plain enough to be logged, or a new one. */
const requestId: Middleware = (ctx, next) => {
  const sent = ctx.get('x-request-id');
  ctx.state.requestId = USABLE.test(sent) ? sent : randomUUID();
  ctx.set('x-request-id', ctx.state.requestId);
  return next();
};

/** The one place that catches: an `AppError` becomes its status and body, anything else a plain 500. */
const errors: Middleware = async (ctx, next) => {
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

/** Checks that the URL of a request can be parsed: any later use of the path of a broken one would throw. */
const target: Middleware = (ctx, next) => {
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

/** The router leaves the layers whose path matched on the context. */
interface Routed {
  matched?: { path: string | RegExp; methods: string[] }[];
}

/**
 * Requests without an endpoint: an unknown path is 404, a known one with another method 405 and `Allow`.
 * @param enveloped the paths whose errors have `success: false`, in the form of the endpoints
 */
const unmatched =
  (enveloped: ReadonlySet<unknown>, lost?: Lost): Middleware =>
  (ctx) => {
    const { matched = [] } = ctx as Routed;
    if (matched.length === 0) {
      const error = new AppError('not_found', `Nothing exists at ${ctx.path.slice(0, 200)}.`);
      // Browsers name HTML; programs accept anything, or name JSON.
      const isPage = ctx.method === 'GET' && ctx.accepts('json', 'html') === 'html';
      const page = isPage ? lost?.(error, callOf(ctx)) : undefined;
      if (!page) throw error;
      ctx.state.failure = error;
      send(ctx, page);
      return;
    }
    ctx.state.isEnveloped = matched.some(({ path }) => enveloped.has(path));
    const allow = [...new Set(matched.flatMap((layer) => layer.methods))].join(', ');
    throw new AppError('method_not_allowed', `${ctx.method} is not allowed here; use ${allow}.`, {
      headers: { allow },
    });
  };
