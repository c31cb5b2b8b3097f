/** Starts the roles of one process on running servers, and stops them in order. */
import type { ConnectionLike } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import type { Api, ApiParts } from './startApi.js';
import type { Config } from './config.js';
import type { Workers } from './workers.js';
import { createDeps, type Deps, type StackAddresses } from './deps.js';
import { createHealth } from './health.js';
import { createRemoteDecider } from '../distribution/decideElsewhere.js';
import type { Decider } from '../distribution/decider.js';
import { createForwardedWatch } from '../api/http/forwarded.js';
import type { Log } from '../lib/log.js';
import type { PasswordCost } from '../people/security/passwords.js';
import { createMetrics } from '../platform/metrics.js';
import { createStateReader, type StateReader } from '../platform/metrics/serviceState.js';
import { startHealthServer, type HealthServer } from './healthServer.js';
import { keepReports } from '../reports/keepReports.js';
import { connectTemporal } from '../platform/temporal/connection.js';
import { keepSchedule } from './keepSchedule.js';
import { readServiceState } from './serviceState.js';
import { createRepairWatch } from '../platform/temporal/repairWatch.js';
import { hasApi, hasLeadsWorker, type Role } from './role.js';

export interface ServiceOptions {
  config: Config;
  stack: StackAddresses;
  role: Role;
  log: Log;
  /** Called when a worker ends by itself: the process can no longer do its work. */
  onFatal?: (error: unknown) => void;
  /** For tests only: alters the service's dependencies, to check that a fault in the code is caught. */
  alter?: (deps: Deps) => Deps;
  /** For tests only: how often it checks whether `reconcile` is scheduled, in milliseconds, instead of every minute. */
  looksEveryMs?: number;
  /** For tests only: what a hash of a password costs, instead of the real cost. */
  passwordCost?: PasswordCost;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/** How long requests to buyers may still run after the workers have stopped, in milliseconds. */
const BACKGROUND_GRACE_MS = 6_000;

/** How long Temporal may take to accept the schedule at the start, in milliseconds. */
const SCHEDULE_MS = 10_000;

/**
 * Starts the role on running servers. Resolves when its workers run and its API listens; closes its connections before it
 * throws.
 * @throws {Error} when MongoDB, Temporal or an address to listen on is not available, or a setting cannot be used
 */
export async function startService(options: ServiceOptions) {
  const { config, stack, role, log, onFatal, alter = (built: Deps) => built } = options;
  const metrics = createMetrics({ ofProcess: true, labelsMax: config.metrics.labelsMax });
  const healthServer = await startHealthServer({ config, log, metrics });
  let connection: ConnectionLike | null = null;
  let deps: Deps | null = null;
  try {
    const temporalWorkers = role === 'api' ? null : await openWorkers(stack.temporalAddress, log);
    if (temporalWorkers) metrics.showTemporal(temporalWorkers.reported);
    connection = temporalWorkers?.connection ?? (await connectTemporal(stack.temporalAddress));
    deps = alter(await createDeps({ config, role, stack, log, metrics, connection }));
    metrics.showState(stateReaderOf(deps));
    const workers = (await temporalWorkers?.create(role, deps)) ?? [];
    const running = workers.map((worker) =>
      worker.run().catch((error: unknown) => {
        log.fatal({ err: error }, 'a worker ended');
        onFatal?.(error);
      }),
    );
    await deps.starter.schedule(Date.now() + SCHEDULE_MS);
    const serves = hasApi(role);
    const { clock, repairs, queues } = deps;
    const watch = createRepairWatch({ repairs, clock, schedule: queues.reconcile });
    await watch.look();
    metrics.showReconcileAge(() => watch.ageMs() / 1_000);
    const forwarded = createForwardedWatch({ ...config, log });
    const health = createHealth(deps, [watch, forwarded], serves ? undefined : workers);
    const { passwordCost } = options;
    const api = serves ? await startApi(deps, role, { health, forwarded, passwordCost }) : null;
    healthServer.setHealth(health);
    const endSchedule = keepSchedule({ ...deps, watch }, options.looksEveryMs);
    const endRollups = hasLeadsWorker(role) ? keepReports(deps) : undefined;
    const ends = { endSchedule, endRollups };
    const parts = { api, healthServer, workers, running, deps, connection, ...ends };
    let stopped: Promise<void> | undefined;
    return {
      deps,
      /** Where the API answers; null in roles without one. */
      url: api?.url ?? null,
      /** Where health and metrics answer on a port of their own; null without `HEALTH_PORT`. */
      healthUrl: healthServer.url,
      health,
      /** Checks whether the certificate of the API was renewed. Never rejects. */
      renewCertificate: async (): Promise<void> => api?.renew(),
      /**
       * Lets what is in flight finish, then closes everything; at most about 30 seconds and `STOP_DELAY_MS`. Safe to call
       * twice.
       */
      stop: (): Promise<void> => (stopped ??= stopAll(parts)),
    };
  } catch (error) {
    await healthServer.close();
    await deps?.close();
    await connection?.close();
    throw error;
  }
}

/** Reads the database for the metrics, when they are asked for. */
const stateReaderOf = (deps: Deps): StateReader =>
  createStateReader({
    read: () => readServiceState(deps, deps.metrics.labels),
    everyMs: deps.config.metrics.refreshMs,
    onError: (error) => deps.log.warn({ err: error }, 'the metrics of the database cannot be read'),
  });

/** A process without the API does not load it: 14 MiB less. */
async function startApi(deps: Deps, role: Role, parts: ApiParts): Promise<Api> {
  const api = await import('./startApi.js');
  return api.startApi(deps, await openDecider(deps, role), parts);
}

/** A process that has a worker for leads decides the leads that it accepts. */
async function openDecider(deps: Deps, role: Role): Promise<Decider> {
  if (!hasLeadsWorker(role)) return createRemoteDecider(deps);
  const { createLocalDecider } = await import('../distribution/decideHere.js');
  return createLocalDecider(deps);
}

/** A process without workers does not load the SDK's native core and what they need: 26 MiB less. */
async function openWorkers(temporalAddress: string, log: Log): Promise<Workers> {
  const module = await import('./workers.js');
  return module.openWorkers(temporalAddress, log);
}

interface Running {
  api: Api | null;
  healthServer: HealthServer;
  workers: Worker[];
  running: Promise<void>[];
  deps: Deps;
  connection: ConnectionLike;
  endSchedule: () => Promise<void>;
  endRollups: (() => Promise<void>) | undefined;
}

/** The API first, which answers for a while although the process is not ready any more, while workers can still decide the leads it accepted; then the workers, then the rest. */
async function stopAll(parts: Running): Promise<void> {
  const { api, healthServer, workers, running, deps, connection } = parts;
  const scheduleEnded = parts.endSchedule();
  deps.stop();
  await api?.stop();
  workers.forEach((worker) => worker.shutdown());
  await Promise.all([...running, parts.endRollups?.(), scheduleEnded]);
  await Promise.all([deps.background.idle(BACKGROUND_GRACE_MS), healthServer.close()]);
  await deps.close();
  await connection.close();
}
