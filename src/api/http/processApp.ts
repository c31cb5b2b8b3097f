/** The endpoints about the process itself: separate from the API, which processes without one do not load. */
import type Koa from 'koa';
import { buildApp } from './buildApp.js';
import type { State } from './context.js';
import type { ProcessDeps } from './deps.js';
import type { Endpoint } from './endpoint.js';
import { liveness, readiness } from '../endpoints/health.js';
import { metricsPage } from '../endpoints/metricsPage.js';

export const processEndpoints: readonly Endpoint<ProcessDeps>[] = [
  liveness,
  readiness,
  metricsPage,
];

/** Health and metrics alone, for a port of their own. */
export const createProcessApp = (deps: ProcessDeps): Koa<State> => buildApp(processEndpoints, deps);
