/** The API as a Koa application, together with the pages and files served on its port. */
import type Koa from 'koa';
import { buildApp } from './buildApp.js';
import type { State } from './context.js';
import type { HttpDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { endpointsOn, pageCalls, pages } from '../endpoints/index.js';
import { createAuthenticate } from './middleware/authenticate.js';
import { ownHost } from './middleware/ownHost.js';

/** @param options.pages pages and files; they come before `pages` of the API at the same path */
export const createApp = (
  deps: HttpDeps,
  { pages: served = [] }: { pages?: readonly Endpoint[] } = {},
): Koa<State> => {
  const authenticate = createAuthenticate(deps);
  return buildApp([...endpointsOn(deps), ...pageCalls, ...served, ...pages], deps, (endpoint) => [
    ...ownHost(endpoint, deps),
    ...authenticate(endpoint),
  ]);
};
