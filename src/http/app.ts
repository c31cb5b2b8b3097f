/** The Koa application: outer middleware in order, then the endpoints. */
import Koa from 'koa';
import type { State } from './context.js';
import type { HttpDeps, ProcessDeps } from './deps.js';
import { createRouter, type Endpoint } from './endpoint.js';
import { endpoints, pages, processEndpoints } from './endpoints.js';
import { errors } from './middleware/errors.js';
import { observe } from './middleware/observe.js';
import { requestId } from './middleware/requestId.js';
import { target } from './middleware/target.js';
import { unmatched } from './middleware/unmatched.js';

export const createApp = (deps: HttpDeps): Koa<State> => build([...endpoints, ...pages], deps);

/** Health and metrics alone, for a port of their own. */
export const createProcessApp = (deps: ProcessDeps): Koa<State> => build(processEndpoints, deps);

function build<D extends ProcessDeps>(table: readonly Endpoint<D>[], deps: D): Koa<State> {
  const app = new Koa<State>({ proxy: deps.trustProxy });
  // Only broken connections arrive here: the `errors` middleware has caught everything else.
  app.on('error', (error: unknown) => deps.log.debug({ err: error }, 'connection lost'));
  app.use(requestId);
  app.use(observe(deps));
  app.use(errors);
  app.use(target);
  app.use(createRouter(table, deps).routes());
  app.use(unmatched);
  return app;
}
