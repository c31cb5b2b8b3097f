import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  STOP_TIMEOUTS_MS,
  type GuardMessage,
  type GuardOrder,
  type ServerCommand,
  type ServerExit,
} from './guardMessages.js';
import { markProcess, signal, type ProcessMark } from './processes.js';

export interface RunningServer extends ProcessMark {
  name: ServerCommand['name'];
  /** Settles when the server is gone, in order or not. Never rejects. */
  exited: Promise<ServerExit>;
}

const STOP_TIMEOUT_MS = STOP_TIMEOUTS_MS.mongod + STOP_TIMEOUTS_MS.temporal + 5_000;

export type Guard = ReturnType<typeof startGuard>;

/**
 * Starts the guard process. `logFile` takes its output when it breaks; `onStarted` gets
 * each server at once, before the server answers.
 */
export function startGuard(logFile: string, onStarted: (server: RunningServer) => void) {
  const log = openSync(logFile, 'a', 0o600);
  const child = fork(fileURLToPath(new URL('./guard.js', import.meta.url)), [], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const running = new Map<string, { server: RunningServer; end: (exit: ServerExit) => void }>();
  const waiting = new Map<string, PromiseWithResolvers<RunningServer>>();

  const reportExit = (exit: ServerExit) => {
    running.get(exit.name)?.end(exit);
    running.delete(exit.name);
  };
  child.on('message', (message) => {
    const news = message as GuardMessage;
    if (news.type === 'exited') {
      reportExit(news);
      return;
    }
    const pending = waiting.get(news.name);
    waiting.delete(news.name);
    if (news.type === 'failed') {
      pending?.reject(new Error(news.message));
      return;
    }
    const { promise: exited, resolve: end } = Promise.withResolvers<ServerExit>();
    const mark = markProcess(news.pid) ?? { pid: news.pid, process_start: '' };
    const server = { ...mark, name: news.name, exited };
    running.set(news.name, { server, end });
    onStarted(server);
    pending?.resolve(server);
  });
  const killServers = () => {
    for (const { server } of running.values()) {
      signal(server, 'SIGKILL');
      reportExit({ name: server.name, code: null, signal: null });
    }
  };
  let isGone = false;
  // A guard that ends while servers run was killed: no other process would stop the servers.
  void gone.then(() => {
    isGone = true;
    killServers();
    for (const pending of waiting.values()) pending.reject(new Error('the guard process ended'));
  });

  const mark = markProcess(child.pid ?? 0) ?? { pid: child.pid ?? 0, process_start: '' };
  return {
    ...mark,
    /** The guard process has ended: it starts no server any more. */
    isGone: (): boolean => isGone,
    /** @throws {Error} when the program cannot be started at all */
    start(server: ServerCommand): Promise<RunningServer> {
      const pending = Promise.withResolvers<RunningServer>();
      waiting.set(server.name, pending);
      const order: GuardOrder = { type: 'start', ...server };
      child.send(order, (error) => error && pending.reject(error));
      return pending.promise;
    },
    /** Stops Temporal, then MongoDB, then the guard. Bounded; kills what does not stop. */
    async stop(): Promise<void> {
      if (child.connected) child.disconnect();
      const killer = setTimeout(() => {
        killServers();
        child.kill('SIGKILL');
      }, STOP_TIMEOUT_MS);
      await gone;
      clearTimeout(killer);
    },
  };
}
