/** The API as a Koa application, together with the pages and files served on its port. */
import type Koa from 'koa';
import { buildApp, type Lost } from './buildApp.js';
import type { State } from './context.js';
import type { HttpDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { endpointsOn, pageCalls, pages } from '../endpoints/index.js';
import { createAuthenticate } from './middleware/authenticate.js';
import { ownHost } from './middleware/ownHost.js';

/** @param options.pages pages and files; they come before `pages` of the API at the same path */
export const createApp = (
  deps: HttpDeps,
  { pages: served = [], lost }: { pages?: readonly Endpoint[]; lost?: Lost } = {},
): Koa<State> => {
  const authenticate = createAuthenticate(deps);
  const table = [...endpointsOn(deps), ...pageCalls, ...served, ...pages];
  const { ownFunnelsUrl } = deps;
  const funnelsHost = ownFunnelsUrl === null ? null : new URL(ownFunnelsUrl).host;
  return buildApp(table, deps, {
    enter: (endpoint) => [...ownHost(endpoint, deps), ...authenticate(endpoint)],
    // Visitors of funnels know nothing of this service.
    lost: (error, call) => (call.header('host') === funnelsHost ? undefined : lost?.(error, call)),
  });
};
