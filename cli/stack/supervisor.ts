/**
 * Keeps several processes of the service running. Those with an API share one address: this process listens, and passes
 * each connection to one of them in turn. A process ends at once when the channel to this one closes, however this one
 * ended (node:cluster does both), so that none serves without its servers.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_FLAG } from '../../src/app/keepHeapSmall.js';
import { hasApi, type Role } from '../../src/app/role.js';
import type { ReadyMessage } from '../../src/app/supervised.js';
import type { Log } from '../../src/lib/log.js';
import type { Environment } from '../output/paint.js';

/** A process to keep running. */
export interface Member {
  role: Role;
  /** Its settings. */
  environment: Environment;
}

export interface Supervisor {
  /** Address of the API. */
  url: string;
  /** Ends every process in order, those with an API first, and kills the rest after 30 seconds and the delay. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));

const STOP_TIMEOUT_MS = 30_000;
/** Requests in flight are answered by then; the leads they pass on need the other processes until then. */
const API_STOP_TIMEOUT_MS = 10_000;

const RESTART_DELAY_MS = 500;
const RESTART_DELAY_MAX_MS = 30_000;
/** A process that ran for this long, in milliseconds, did not end because of its start settings. */
const STEADY_MS = 60_000;

/** @param endings how often in a row the process ended soon after its start, from 1 */
export const restartDelayMs = (endings: number): number =>
  Math.min(RESTART_DELAY_MS * 2 ** (endings - 1), RESTART_DELAY_MAX_MS);

/**
 * Starts the processes in parallel.
 * @param stopDelayMs how long those with an API still serve once they are to stop (`STOP_DELAY_MS`)
 * @returns once all are ready for work
 * @throws {Error} when one ends before; every process that was started has been stopped
 */
export async function supervise(
  members: readonly Member[],
  log: Log,
  stopDelayMs: number,
): Promise<Supervisor> {
  const places = members.map((member) => createPlace(member, log));
  const killAll = () => places.forEach((place) => place.kill());
  // A process that hangs does not notice that the channel has closed.
  process.once('exit', killAll);
  let stopping: Promise<void> | null = null;
  const stop = () =>
    (stopping ??= stopAll(places, stopDelayMs).finally(() => process.off('exit', killAll)));
  try {
    const ready = await Promise.all(places.map((place) => place.start()));
    return { url: ready.find(({ url }) => url !== null)?.url ?? '', stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A slot in which one process runs, and after it the next. */
interface Place {
  role: Role;
  /** @throws {Error} when the process ends before it is ready for work */
  start(): Promise<ReadyMessage>;
  /** Requests an orderly end and waits for it; nothing is started again. */
  stop(): Promise<void>;
  kill(): void;
}

function createPlace({ role, environment }: Member, log: Log): Place {
  let current: Running | null = null;
  let restart: NodeJS.Timeout | undefined;
  let isKept = false;
  let endings = 0;

  function run(): Running {
    const startedAt = performance.now();
    const running = runProcess(role, environment);
    current = running;
    void running.ended.then((how) => {
      current = null;
      if (!isKept) return;
      endings = performance.now() - startedAt < STEADY_MS ? endings + 1 : 1;
      const restart_in_ms = restartDelayMs(endings);
      const { pid } = running;
      log.error({ process: role, pid, how, restart_in_ms }, 'a process ended by itself');
      restart = setTimeout(run, restart_in_ms);
    });
    return running;
  }

  return {
    role,
    async start() {
      const { ready, ended } = run();
      const first = await Promise.race([ready, ended]);
      if (typeof first === 'string') {
        throw new Error(
          `The process "${role}" ended while it started (${first}). It says why above.`,
        );
      }
      isKept = true;
      return first;
    },
    async stop() {
      isKept = false;
      clearTimeout(restart);
      current?.signal('SIGTERM');
      await current?.ended;
    },
    kill: () => current?.signal('SIGKILL'),
  };
}

interface Running {
  pid: number | undefined;
  ready: Promise<ReadyMessage>;
  /** Resolves with the way in which it ended. Never rejects. */
  ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

function runProcess(role: Role, environment: Environment): Running {
  // Its output and logs go where this process's own go.
  const stdio = ['ignore' as const, 'inherit' as const, 'inherit' as const, 'ipc' as const];
  cluster.setupPrimary({ exec: MAIN, args: [role], execArgv: [NODE_FLAG], stdio });
  const worker = cluster.fork(environment);
  return {
    pid: worker.process.pid,
    ready: new Promise((resolve) => {
      worker.once('message', (message: ReadyMessage) => resolve(message));
    }),
    ended: endOf(worker),
    signal: (name) => void worker.process.kill(name),
  };
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve(signal ?? `exit code ${String(code)}`),
    );
    // Also a message to a process that has just ended; its end has an event of its own.
    worker.on('error', (error) => {
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

async function stopAll(places: readonly Place[], delayMs: number): Promise<void> {
  const killAll = () => places.forEach((place) => place.kill());
  const killer = setTimeout(killAll, delayMs + STOP_TIMEOUT_MS);
  const stopEach = (isWanted: (place: Place) => boolean) =>
    Promise.all(places.filter(isWanted).map((place) => place.stop()));
  const serving = stopEach(({ role }) => hasApi(role));
  await Promise.race([serving, wait(delayMs + API_STOP_TIMEOUT_MS, null, { ref: false })]);
  await Promise.all([serving, stopEach(({ role }) => !hasApi(role))]);
  clearTimeout(killer);
}
