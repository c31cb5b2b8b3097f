/** Health and metrics of a process on a port of their own, from its first moment to its last. */
import type { Config } from './config.js';
import type { Health } from '../api/schemas/health.js';
import { createProcessApp } from '../api/endpoints/health.js';
import { listen } from '../api/http/server.js';
import type { Log } from '../lib/log.js';
import type { Metrics } from '../platform/metrics.js';

export interface HealthServerOptions {
  config: Pick<Config, 'healthHost' | 'healthPort' | 'trustProxy'>;
  log: Log;
  metrics: Metrics;
}

/** How long answers in flight may take once the process has stopped everything else, in milliseconds. */
const GRACE_MS = 1_000;

const STARTING: Health = {
  check() {
    const process = { state: 'error' as const, message: 'The process is starting' };
    return Promise.resolve({ ok: false, dependencies: { process } });
  },
};

export type HealthServer = Awaited<ReturnType<typeof startHealthServer>>;

/** @throws {Error} naming the address, when it cannot be listened on */
export async function startHealthServer({ config, log, metrics }: HealthServerOptions) {
  const { healthHost: host, healthPort: port, trustProxy } = config;
  let shown = STARTING;
  const health: Health = { check: () => shown.check() };
  const server =
    port === undefined
      ? null
      : await listen(createProcessApp({ health, log, metrics, trustProxy }), {
          host,
          port,
          // It belongs to this process alone, also where processes share the address of the API.
          isExclusive: true,
        });
  return {
    /** Null without `HEALTH_PORT`: then there is no server. */
    url: server?.url ?? null,
    /** What readiness reports from now on; before, the process is starting and not ready. */
    setHealth(next: Health): void {
      shown = next;
    },
    async close(): Promise<void> {
      await server?.close(GRACE_MS);
    },
  };
}
