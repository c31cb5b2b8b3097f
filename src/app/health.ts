/** Checks everything that the work of a process depends on. */
import type { Worker } from '@temporalio/worker';
import proto from '@temporalio/proto';
import type { Health, HealthReport } from '../api/schemas/health.js';
import { createAttention, type AttentionReader } from './attention.js';
import type { Deps } from './deps.js';
import type { RepairWatch } from '../platform/temporal/repairWatch.js';

type Check = () => Promise<void>;

/** Something that an operator should know of. */
type Watch = Pick<RepairWatch, 'warning'> & Partial<Pick<RepairWatch, 'look'>>;

/** A dependency that takes longer counts as missing, in milliseconds. */
const CHECK_MS = 2_000;

/**
 * From the stop signal on a process is not ready, while it still answers what reaches it.
 * @param watches their messages are warnings, and no reason to refuse leads
 * @param own the workers of a process without an API, which is ready when they run. Absent: ready when a
 *   lead would be accepted now, whichever process decides it.
 * @param attention what waits for a person: information, and no reason either
 */
export function createHealth(
  deps: Deps,
  watches: readonly Watch[],
  own?: readonly Worker[],
  attention: AttentionReader = createAttention(deps),
): Health {
  const checks: Record<string, Check> = {
    mongodb: async () => {
      await Promise.all([
        deps.store.db.command({ ping: 1 }),
        ...watches.map((watch) => watch.look?.()),
      ]);
    },
    temporal: () => atTemporal(deps, () => deps.client.workflowService.getSystemInfo({})),
    workers: () => (own ? requireRunning(own) : atTemporal(deps, () => requireWorkers(deps))),
  };
  return {
    async check() {
      if (deps.stopping()) return STOPPING;
      const [waiting, ...entries] = await Promise.all([
        attention(),
        ...Object.entries(checks).map(async ([name, check]) => [name, await timed(check)] as const),
      ]);
      const warnings = watches.flatMap((watch) => watch.warning() ?? []);
      return {
        ok: entries.every(([, { state }]) => state === 'ok'),
        dependencies: Object.fromEntries(entries),
        warnings: warnings.length > 0 ? warnings : undefined,
        attention: waiting,
      };
    },
  };
}

const STOPPING: HealthReport = {
  ok: false,
  dependencies: { process: { state: 'error', message: 'The process is stopping' } },
};

function requireRunning(workers: readonly Worker[]): Promise<void> {
  const states = workers.map((worker) => worker.getState());
  if (states.every((state) => state === 'RUNNING')) return Promise.resolve();
  return Promise.reject(
    new Error(`The worker of this process is not running: ${states.join(', ')}`),
  );
}

async function timed(check: Check): Promise<HealthReport['dependencies'][string]> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  try {
    await check();
    return { state: 'ok', latency_ms: latency() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { state: 'error', message, latency_ms: latency() };
  }
}

async function atTemporal(deps: Deps, ask: () => Promise<unknown>): Promise<void> {
  await deps.client.withDeadline(Date.now() + CHECK_MS, ask);
}

/** Workers decide leads: without one listening, an accepted lead would end in a 503. */
async function requireWorkers({ client, namespace, queues }: Deps): Promise<void> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: queues.leads },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  if (pollers.length === 0) {
    throw new Error(
      `No worker listens on the task queue "${queues.leads}": start the role "intake" or "worker"`,
    );
  }
}
