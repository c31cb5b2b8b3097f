/** The structure of every Koa application: outer middleware in order, then a table of endpoints. */
import Koa from 'koa';
import type { State } from './context.js';
import type { ProcessDeps } from './deps.js';
import { createRouter, isEnveloped, type Endpoint, type Authenticate } from './endpoint.js';
import { browserHeaders } from './middleware/browserHeaders.js';
import { errors } from './middleware/errors.js';
import { observe } from './middleware/observe.js';
import { requestId } from './middleware/requestId.js';
import { target } from './middleware/target.js';
import { unmatched } from './middleware/unmatched.js';

export function buildApp<D extends ProcessDeps>(
  table: readonly Endpoint<D>[],
  deps: D,
  enter?: Authenticate,
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
  app.use(unmatched(new Set(table.filter(isEnveloped).map(({ path }) => path))));
  return app;
}
