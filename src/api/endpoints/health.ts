/** Whether the process is alive, and whether it can do its work. */
import { Liveness, Readiness } from '../schemas/health.js';
import type { ProcessDeps } from '../http/deps.js';
import type { Endpoint, Reply } from '../http/endpoint.js';

/** Uses nothing outside the process: a failing database must not get the API restarted. */
export const liveness: Endpoint<ProcessDeps> = {
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
    return Promise.resolve({ status: 200, body: { status: 'ok' } });
  },
};

/** For load balancers: 503 takes this process out of rotation until its dependencies are back. */
export const readiness: Endpoint<ProcessDeps> = {
  id: 'readiness',
  method: 'get',
  path: '/readyz',
  summary: 'Whether the process can do its work, and the state of its dependencies',
  description:
    'For load balancers: 503 takes this process out of rotation until MongoDB, Temporal and a worker answer again.',
  tag: 'service',
  auth: 'public',
  outputs: { 200: Readiness, 503: Readiness },
  errors: [],
  async handle(_call, { health }): Promise<Reply> {
    const { ok, ...report } = await health.check();
    if (ok) return { status: 200, body: { status: 'ready', ...report } };
    return {
      status: 503,
      body: { status: 'not_ready', ...report },
      headers: { 'retry-after': '2' },
    };
  },
};
