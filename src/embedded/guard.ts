/**
 * The process that starts the servers and never outlives their owner: when the channel to the owner
 * closes, for any reason (a SIGKILL of the owner too), it stops the servers in order and
 * ends. It runs in a session of its own, so that Ctrl-C reaches the owner only.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import {
  STOP_ORDER,
  STOP_TIMEOUTS_MS,
  type GuardMessage,
  type GuardOrder,
  type ServerName,
} from './guardMessages.js';

/** Settings meant for clients of a Temporal server would also change the server's own start. */
const serverEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('TEMPORAL_')));

function send(news: GuardMessage): void {
  // A callback, so that an owner that just died is no error here.
  if (process.connected) process.send?.(news, undefined, undefined, () => undefined);
}

function createServers() {
  const running = new Map<ServerName, ChildProcess>();
  let stopping = false;

  function start({ name, command, args, logFile }: GuardOrder): void {
    if (stopping) return;
    const log = openSync(logFile, 'a', 0o600);
    const stdio = ['ignore' as const, log, log];
    const child = spawn(command, args, { stdio, env: serverEnvironment() });
    closeSync(log);
    running.set(name, child);
    child.on('spawn', () => send({ type: 'started', name, pid: child.pid ?? 0 }));
    child.on('error', (error) => {
      if (child.pid === undefined) running.delete(name);
      send({ type: 'failed', name, message: error.message });
    });
    child.on('exit', (code, signal) => {
      running.delete(name);
      send({ type: 'exited', name, code, signal });
    });
  }

  async function stop(name: ServerName, child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUTS_MS[name]);
    await gone;
    clearTimeout(killer);
  }

  return {
    start,
    async stopAll(): Promise<void> {
      if (stopping) return;
      stopping = true;
      for (const name of STOP_ORDER) {
        const child = running.get(name);
        if (child) await stop(name, child);
      }
      process.exit(0);
    },
  };
}

const servers = createServers();
process.on('message', (order: GuardOrder) => {
  try {
    servers.start(order);
  } catch (error) {
    send({ type: 'failed', name: order.name, message: String(error) });
  }
});
process.on('disconnect', () => void servers.stopAll());
process.on('SIGTERM', () => void servers.stopAll());
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
