/** The metrics, in the text format that Prometheus reads. */
import { z } from 'zod';
import type { ProcessDeps } from './deps.js';
import type { Endpoint, Reply } from './endpoint.js';

export const metricsPage: Endpoint<ProcessDeps> = {
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  summary: 'Metrics of this process in the Prometheus text format',
  who: 'public',
  outputs: { 200: z.string() },
  errors: [],
  async handle(_call, { metrics }): Promise<Reply> {
    const { registry } = metrics;
    return {
      status: 200,
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    };
  },
};
