/** The metrics, in the text format that Prometheus reads. */
import { z } from 'zod';
import type { ProcessDeps } from '../http/deps.js';
import type { Endpoint, Reply } from '../http/endpoint.js';

export const metricsPage: Endpoint<ProcessDeps> = {
  id: 'metrics',
  method: 'get',
  path: '/metrics',
  summary: 'Metrics of this process in the Prometheus text format',
  description: 'Counters, gauges and histograms; the operations guide says which to watch.',
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
  async handle(_call, { metrics }): Promise<Reply> {
    const { registry } = metrics;
    return {
      status: 200,
      headers: { 'content-type': registry.contentType },
      body: await registry.metrics(),
    };
  },
};
