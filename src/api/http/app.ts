/** The API as a Koa application. */
import type Koa from 'koa';
import { buildApp } from './buildApp.js';
import type { State } from './context.js';
import type { HttpDeps } from './deps.js';
import { endpointsOn, pages } from '../endpoints/index.js';
import { createAuthenticate } from './middleware/authenticate.js';

export const createApp = (deps: HttpDeps): Koa<State> =>
  buildApp([...endpointsOn(deps), ...pages], deps, createAuthenticate(deps));
