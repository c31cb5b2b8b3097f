/** The pool of connections to MongoDB, by the events of the driver. */
import type { Registry } from 'prom-client';
import type { PoolCounts } from '../mongo/poolWatch.js';
import { showSamples } from './samples.js';

/** @returns the counts that are shown from now on */
export function createPoolMetrics(registry: Registry): PoolCounts {
  const counts: PoolCounts = {
    connections: 0,
    checkedOut: 0,
    waiting: 0,
    failures: 0,
    waitedMs: 0,
  };
  const show = (kind: 'counter' | 'gauge', name: string, help: string, value: () => number): void =>
    showSamples(registry, kind, { name, help, labelNames: [] }, () => [
      { labels: {}, value: value() },
    ]);
  show(
    'gauge',
    'leadwire_mongodb_pool_connections',
    'Connections to MongoDB that are open',
    () => counts.connections,
  );
  show(
    'gauge',
    'leadwire_mongodb_pool_used_connections',
    'Of these, the ones in use by a command',
    () => counts.checkedOut,
  );
  show(
    'gauge',
    'leadwire_mongodb_pool_waiting_commands',
    'Commands that wait for a connection to MongoDB',
    () => counts.waiting,
  );
  show(
    'counter',
    'leadwire_mongodb_pool_failures_total',
    'Commands that got no connection to MongoDB in time',
    () => counts.failures,
  );
  show(
    'counter',
    'leadwire_mongodb_pool_wait_seconds_total',
    'Seconds that commands have waited for a connection to MongoDB',
    () => counts.waitedMs / 1_000,
  );
  return counts;
}
