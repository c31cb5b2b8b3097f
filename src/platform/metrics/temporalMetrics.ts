/**
 * The metrics of Temporal's SDK that show whether the workers keep up, under the names that Temporal documents for them,
 * with units and `_total`. A process without workers has none of them.
 */
import type { Registry } from 'prom-client';
import { createHistograms, type Histograms } from './cells.js';
import { showDistributions, showSamples } from './samples.js';

/** An update as the SDK reports it: a counter's value is what is added, a gauge's or a histogram's the value itself. */
export interface TemporalUpdate {
  metric: { name: string };
  value: number;
  attributes: Readonly<Record<string, string | number | boolean>>;
}

const PREFIX = 'temporal_';

/** In seconds. A lead waits for its first task within its answer's time; a drain may wait longer. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

/** By the names of the SDK, which have no unit and no `_total`. */
const VALUES = {
  worker_task_slots_available: {
    kind: 'gauge',
    labels: ['task_queue', 'worker_type'],
    help: 'Slots of a worker that are free, by task queue and kind of work',
  },
  worker_task_slots_used: {
    kind: 'gauge',
    labels: ['task_queue', 'worker_type'],
    help: 'Slots of a worker that are in use, by task queue and kind of work',
  },
  num_pollers: {
    kind: 'gauge',
    labels: ['task_queue', 'poller_type'],
    help: 'Requests for work that are open at the Temporal server, by task queue and kind of work',
  },
  sticky_cache_size: {
    kind: 'gauge',
    labels: ['task_queue'],
    help: 'Workflows that a worker keeps in memory',
  },
  workflow_task_execution_failed: {
    kind: 'counter',
    labels: ['task_queue'],
    help: 'Workflow tasks that failed',
  },
  activity_execution_failed: {
    kind: 'counter',
    labels: ['task_queue'],
    help: 'Activities that failed; they are tried again',
  },
  request_failure: {
    kind: 'counter',
    labels: ['operation'],
    help: 'Calls of the Temporal server that failed, by operation',
  },
} as const satisfies Record<
  string,
  { kind: 'counter' | 'gauge'; labels: readonly string[]; help: string }
>;

const LATENCIES = {
  workflow_task_schedule_to_start_latency:
    'Seconds from the scheduling of a workflow task to its start: how long leads wait for a worker',
  activity_schedule_to_start_latency:
    'Seconds from the scheduling of an activity to its start: how long the durable lane waits for a worker',
} as const;

/** What an unforeseen label cannot exceed: the service has a handful of task queues, and the SDK some twenty operations. */
const CELLS_MAX = 100;

interface Value {
  labels: Record<string, string>;
  value: number;
}

/** What the SDK of this process has reported, whichever services run in it. */
export function createTemporalCells() {
  const values = new Map(
    Object.keys(VALUES).map((name) => [name, new Map<string, Value>()] as const),
  );
  const latencies = new Map(
    Object.keys(LATENCIES).map((name) => [name, createHistograms(BUCKETS)] as const),
  );
  return {
    /** Most of the updates are of metrics that are not shown. */
    record({ metric, value, attributes }: TemporalUpdate): void {
      const name = metric.name.startsWith(PREFIX) ? metric.name.slice(PREFIX.length) : metric.name;
      const latency = latencies.get(name);
      if (latency) {
        latency.observe(String(attributes.task_queue ?? ''), value);
        return;
      }
      const cells = values.get(name);
      if (cells) recordValue(VALUES[name as keyof typeof VALUES], cells, value, attributes);
    },
    values: (name: string): Value[] => [...(values.get(name)?.values() ?? [])],
    latencies: (name: string): ReturnType<Histograms['samples']> =>
      latencies.get(name)?.samples('task_queue') ?? [],
  };
}

export type TemporalCells = ReturnType<typeof createTemporalCells>;

function recordValue(
  { kind, labels: names }: (typeof VALUES)[keyof typeof VALUES],
  cells: Map<string, Value>,
  value: number,
  attributes: TemporalUpdate['attributes'],
): void {
  const key = names.map((name) => String(attributes[name] ?? '')).join('\n');
  const cell = cells.get(key);
  if (cell) {
    cell.value = kind === 'counter' ? cell.value + value : value;
    return;
  }
  if (cells.size >= CELLS_MAX) return;
  const labels = names.map((name) => [name, String(attributes[name] ?? '')]);
  cells.set(key, { labels: Object.fromEntries(labels) as Record<string, string>, value });
}

export function createTemporalMetrics(registry: Registry) {
  let cells: TemporalCells | null = null;
  for (const [name, { kind, labels: labelNames, help }] of Object.entries(VALUES))
    showSamples<string>(
      registry,
      kind,
      { name: `${PREFIX}${name}${kind === 'counter' ? '_total' : ''}`, help, labelNames },
      () => cells?.values(name) ?? [],
    );
  for (const [name, help] of Object.entries(LATENCIES))
    showDistributions(
      registry,
      {
        name: `${PREFIX}${name}_seconds`,
        help,
        labelNames: ['task_queue'],
        buckets: BUCKETS,
      },
      () => cells?.latencies(name) ?? [],
    );
  return {
    /** The process has workers, and their SDK reports to these. */
    showTemporal(reported: TemporalCells): void {
      cells = reported;
    },
  };
}
