/** Starts the roles of one process on running servers, and stops them in order. */
import type { Worker } from '@temporalio/worker';
import { createActivities } from '../activities/index.js';
import { startApi, type Api } from './api.js';
import type { Config } from './config.js';
import { createDeps, type Deps, type StackAddresses } from './deps.js';
import { createHealth } from './health.js';
import type { Health } from './http/health.js';
import type { Log } from './log.js';
import { createDeliveryWorker, createLeadsWorker, installRuntime } from './temporal/workers.js';

export const ROLES = ['all', 'api', 'worker', 'delivery'] as const;
export type Role = (typeof ROLES)[number];

export interface ServiceOptions {
  config: Config;
  stack: StackAddresses;
  role: Role;
  log: Log;
  /** Called when a worker ends by itself: the process can no longer do its work. */
  onFatal?: (error: unknown) => void;
}

export interface Service {
  deps: Deps;
  /** Where the API answers; null in roles without one. */
  url: string | null;
  health: Health;
  /** Lets what is in flight finish, then closes everything; at most about 30 seconds. Safe to call twice. */
  stop(): Promise<void>;
}

/** Requests to buyers that still run when the workers have stopped get so long, in milliseconds. */
const BACKGROUND_GRACE_MS = 6_000;

let runtimeInstalled = false;

export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, stack, role, log, onFatal } = options;
  if (!runtimeInstalled) installRuntime(log);
  runtimeInstalled = true;
  const deps = await createDeps(config, stack, log);
  try {
    const workers = await createWorkers(role, deps);
    const running = workers.map((worker) =>
      worker.run().catch((error: unknown) => {
        log.fatal({ err: error }, 'a worker ended');
        onFatal?.(error);
      }),
    );
    await deps.starter.schedule();
    const health = createHealth(deps);
    const api = role === 'all' || role === 'api' ? await startApi(deps, health) : null;
    const stop = once(() => stopAll({ api, workers, running, deps }));
    return { deps, url: api?.url ?? null, health, stop };
  } catch (error) {
    await deps.close();
    throw error;
  }
}

async function createWorkers(role: Role, deps: Deps): Promise<Worker[]> {
  const activities = createActivities(deps);
  const options = { ...deps, activities };
  return Promise.all([
    ...(role === 'all' || role === 'worker' ? [createLeadsWorker(options)] : []),
    ...(role === 'all' || role === 'delivery' ? [createDeliveryWorker(options)] : []),
  ]);
}

interface Running {
  api: Api | null;
  workers: Worker[];
  running: Promise<void>[];
  deps: Deps;
}

/** The door first, while workers can still decide what came in; then the workers, then the connections. */
async function stopAll({ api, workers, running, deps }: Running): Promise<void> {
  deps.stop();
  await api?.stop();
  workers.forEach((worker) => worker.shutdown());
  await Promise.all(running);
  await deps.background.idle(BACKGROUND_GRACE_MS);
  await deps.close();
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= act());
}
