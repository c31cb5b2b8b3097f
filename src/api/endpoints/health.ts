/** The endpoints about the process itself: whether it is alive, whether it can do its work, and its metrics. */
import { Liveness, Readiness } from '../schemas/health.js';
import type { ProcessDeps } from '../http/deps.js';
import type { Endpoint, Reply } from '../http/endpoint.js';
import { readVersion } from '../../lib/version.js';
import { z } from 'zod';
import type Koa from 'koa';
import { buildApp } from '../http/buildApp.js';
import type { State } from '../http/context.js';

const VERSION = readVersion();

/** Uses nothing outside the process: a failing database must not get the API restarted. */
const liveness: Endpoint<ProcessDeps> = {
  id: 'liveness',
  method: 'get',
  path: '/healthz',
  summary: 'Whether the process is alive',
  description: 'Checks nothing else: a database failure must not cause a restart of the process.',
  tag: 'service',
  auth: 'public',
  outputs: { 200: Liveness },
  errors: [],
  handle(): Promise<Reply> {
    return Promise.resolve({ status: 200, body: { status: 'ok', version: VERSION } });
  },
};

/** For load balancers: 503 takes this process out of rotation until its dependencies are back. */
const readiness: Endpoint<ProcessDeps> = {
  id: 'readiness',
  method: 'get',
  path: '/readyz',
  summary: 'Whether the process can do its work, and the state of its dependencies',
  description:
    'For load balancers: 503 takes this process out of rotation until MongoDB, Temporal and a worker answer again. ' +
    'On the port of the API it has attention only where METRICS_ON_PORT is all.',
  tag: 'service',
  auth: 'public',
  outputs: { 200: Readiness, 503: Readiness },
  errors: [],
  async handle(_call, { health, isInternal = false }): Promise<Reply> {
    const { ok, attention, ...checked } = await health.check();
    const report = isInternal ? { ...checked, attention } : checked;
    if (ok) return { status: 200, body: { status: 'ready', ...report } };
    return {
      status: 503,
      body: { status: 'not_ready', ...report },
      headers: { 'retry-after': '2' },
    };
  },
};

const metricsPage: Endpoint<ProcessDeps> = {
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  summary: 'Metrics of this process in the Prometheus text format',
  description:
    'Counters, gauges and histograms; the operations guide lists them. On the port of the API those of ' +
    'campaigns, buyers and sums are shown only where METRICS_ON_PORT is all.',
  tag: 'service',
  auth: 'public',
  produces: 'text/plain',
  outputs: {
    200: z.string().meta({
      description: 'The metrics.',
      examples: ['# TYPE leadwire_http_requests_total counter'],
    }),
  },
  errors: [],
  async handle(_call, { metrics, isInternal = false }): Promise<Reply> {
    const registry = isInternal ? metrics.everything : metrics.registry;
    return {
      status: 200,
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    };
  },
};

/** Separate from the API, which a process without one does not load. */
export const processEndpoints: readonly Endpoint<ProcessDeps>[] = [
  liveness,
  readiness,
  metricsPage,
];

/** Health and metrics alone, for a port of their own. */
export const createProcessApp = (deps: ProcessDeps): Koa<State> =>
  buildApp(processEndpoints, { ...deps, isInternal: true });
