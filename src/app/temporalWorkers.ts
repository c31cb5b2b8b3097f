/** The workers of a process: the fast lane on `leads`, the durable lane on `delivery`. */
import {
  makeTelemetryFilterString,
  MetricsBuffer,
  NativeConnection,
  Runtime,
  Worker,
} from '@temporalio/worker';
import type { Activities } from '../../workflows/activities.js';
import type { Log } from '../lib/log.js';
import { WORKFLOW_BUNDLE } from '../platform/temporal/bundle.js';
import { createTemporalCells, type TemporalCells } from '../platform/metrics/temporalMetrics.js';
import { connectOptions, withAddress } from '../platform/temporal/connection.js';
import type { TaskQueues } from '../platform/temporal/names.js';

interface WorkerOptions {
  connection: NativeConnection;
  namespace: string;
  queues: TaskQueues;
  activities: Activities;
}

/** How long running activities may go on after a stop was requested. */
const SHUTDOWN = { shutdownGraceTime: '10s', shutdownForceTime: '15s' } as const;

/**
 * The SDK keeps its updates of metrics until they are fetched, and drops those that it has no room for: some dozens for
 * each group of leads.
 */
const METRICS_BUFFER = 20_000;
const METRICS_FETCH_MS = 250;

/**
 * Must run once per process, before any connection of workers: the process owns its signals, and the log is ours. Returns
 * what the SDK reports from then on.
 */
export function installRuntime(log: Log): TemporalCells {
  const cells = createTemporalCells();
  const buffer = new MetricsBuffer({
    maxBufferSize: METRICS_BUFFER,
    useSecondsForDurations: true,
  });
  const fetchUpdates = () => {
    for (const update of buffer.retrieveUpdates()) cells.record(update);
  };
  setInterval(fetchUpdates, METRICS_FETCH_MS).unref();
  Runtime.install({
    shutdownSignals: [],
    // Messages of the native core go to our own log, not straight to the terminal.
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      // Fetched from here, so that the metrics of a process are on one page and need no port of their own.
      metrics: { buffer },
    },
    logger: {
      log: (level, message) => level === 'ERROR' && log.error(message),
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: (message, meta) => {
        // The delivery worker has none on purpose.
        if (!message.startsWith('No workflows registered')) log.warn({ meta }, message);
      },
      error: (message, meta) => log.error({ meta }, message),
    },
  });
  return cells;
}

/**
 * Workers need a connection of the SDK's native core; their process calls Temporal on it too.
 * @throws {Error} naming the address, when nothing answers there
 */
export function connectWorkers(address: string): Promise<NativeConnection> {
  return withAddress(address, () => {
    const options = connectOptions(address);
    return NativeConnection.connect({
      ...options,
      // On the same machine compression costs more than it saves; with TLS the traffic leaves the machine.
      ...(options.tls ? {} : { grpcCompression: { codec: 'none' } }),
    });
  });
}

/** Workflows and local activities. */
export function createLeadsWorker(options: WorkerOptions): Promise<Worker> {
  const { queues, activities, ...server } = options;
  return Worker.create({
    ...server,
    taskQueue: queues.leads,
    workflowBundle: { codePath: WORKFLOW_BUNDLE },
    // Only what runs inside a workflow task belongs here; the rest is the delivery workers' work.
    activities: { processLeads: activities.processLeads, applyChanges: activities.applyChanges },
    maxCachedWorkflows: 1_000,
    maxConcurrentWorkflowTaskExecutions: 100,
    maxConcurrentLocalActivityExecutions: 100,
    workflowTaskPollerBehavior: { type: 'autoscaling', minimum: 5, initial: 10, maximum: 60 },
    ...SHUTDOWN,
  });
}

/** Regular activities only. */
export function createDeliveryWorker(options: WorkerOptions): Promise<Worker> {
  const { queues, activities, ...server } = options;
  return Worker.create({
    ...server,
    taskQueue: queues.delivery,
    activities: {
      drainDestination: activities.drainDestination,
      drainEndpoint: activities.drainEndpoint,
      commandQueue: activities.commandQueue,
      reconcile: activities.reconcile,
      expirePings: activities.expirePings,
      expireOutcomes: activities.expireOutcomes,
    },
    maxConcurrentActivityTaskExecutions: 200,
    activityTaskPollerBehavior: { type: 'autoscaling', minimum: 2, initial: 4, maximum: 20 },
    ...SHUTDOWN,
  });
}
