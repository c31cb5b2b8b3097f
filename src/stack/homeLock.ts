import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, LockHeldError, type FileLock, type Holder } from './fileLock.js';
import { hostname } from 'node:os';
import type { ServerName } from './guardMessages.js';
import { isAlive, signal, type ProcessMark } from './processes.js';
import type { Reporter } from './reporter.js';

/** What `lock.json` tells beside its owner. */
export interface HomeLockData {
  mongodb_uri?: string;
  temporal_address?: string;
  temporal_ui?: string;
  guard?: ProcessMark;
  servers?: (ProcessMark & { name: ServerName })[];
}
export type HomeLock = FileLock<HomeLockData>;

/**
 * One owner per home.
 * @throws {Error} that names the owner, since when, its addresses, and what to do
 */
export function lockHome(path: string, home: string): HomeLock {
  try {
    const lock = acquireLock<HomeLockData>(path, {});
    // Should this process die too, the next one still has to know what is left.
    if (lock.previous) lock.update({ guard: lock.previous.guard, servers: lock.previous.servers });
    return lock;
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new Error(describeOwner(home, path, error.holder), { cause: error });
  }
}

function describeOwner(home: string, path: string, owner: Holder & HomeLockData): string {
  const elsewhere = owner.host !== hostname();
  const addresses = [
    owner.mongodb_uri && `MongoDB at ${owner.mongodb_uri}`,
    owner.temporal_address && `Temporal at ${owner.temporal_address}`,
    owner.temporal_ui && `its UI at ${owner.temporal_ui}`,
  ].filter(Boolean);
  const what = addresses.length > 0 ? addresses.join(', ') : 'it is still starting';
  const advice = elsewhere
    ? `Stop it there; if that machine or container is gone, delete ${path}.`
    : `Stop it (kill ${String(owner.pid)}), or set LEADWIRE_HOME to another folder.`;
  return (
    `${home} is in use by process ${String(owner.pid)} on ${owner.host} ` +
    `since ${owner.started_at}: ${what}. ${advice}`
  );
}

/** How long a guard that is still stopping servers is left to it, milliseconds. */
const PATIENCE = 30_000;
const KILL_AFTER = 10_000;
const LOOK_EVERY = 100;

/**
 * Waits until the servers of an owner that died are gone. Its guard is stopping them; should that
 * have died too, they are stopped here.
 * @throws {Error} when one cannot be stopped
 */
export async function clearLeftovers(lock: HomeLock, reporter: Reporter): Promise<void> {
  const { guard, servers = [] } = lock.previous ?? {};
  const left = () => servers.filter(isAlive);
  const guarded = () => guard !== undefined && isAlive(guard);
  if (left().length === 0 && !guarded()) return;
  reporter.start('Waiting for the servers of an earlier run to stop');
  await until(() => !guarded(), PATIENCE);
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    for (const server of left().reverse()) signal(server, name);
    await until(() => left().length === 0, KILL_AFTER);
  }
  const stuck = left().map((server) => `${server.name} (process ${String(server.pid)})`);
  if (stuck.length > 0) {
    reporter.fail('Servers of an earlier run do not stop');
    throw new Error(`These servers of an earlier run do not stop: ${stuck.join(', ')}.`);
  }
  reporter.done('The servers of an earlier run have stopped');
}

async function until(condition: () => boolean, patience: number): Promise<void> {
  const deadline = Date.now() + patience;
  while (!condition() && Date.now() < deadline) await sleep(LOOK_EVERY);
}
