import { setTimeout as sleep } from 'node:timers/promises';
import { hostname } from 'node:os';
import { acquireLock, LockHeldError, silentAfter, type FileLock, type Holder } from './fileLock.js';
import { formatElapsed } from './format.js';
import type { ServerName } from './guardMessages.js';
import { isAlive, lifeOf, signal, type ProcessMark } from './processes.js';
import type { Reporter } from './reporter.js';

/** What `lock.json` holds in addition to its owner. */
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
export async function lockHome(path: string, home: string, reporter: Reporter): Promise<HomeLock> {
  const watched: Holder[] = [];
  const onWatch = (holder: Holder) => {
    watched.push(holder);
    const patience = formatElapsed(silentAfter(holder) ?? 0);
    reporter.start(
      `Checking for up to ${patience} whether ${nameOf(holder)}, which holds ${home}, is alive`,
    );
  };
  try {
    const lock = await acquireLock<HomeLockData>(path, {}, { onWatch });
    if (watched.length > 0)
      reporter.done(
        lock.previous
          ? `Took over ${home}: its owner is not alive`
          : `${home} was released by its owner`,
      );
    // If this process dies too, the next one still finds the servers that are left.
    if (lock.previous) lock.update(leftBy(lock.previous));
    return lock;
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    if (watched.length > 0) reporter.fail(`${home} has an owner that is alive`);
    throw new Error(describeOwner(home, path, error), { cause: error });
  }
}

const nameOf = ({ pid, host }: Holder): string => `process ${String(pid)} on ${host}`;

/** What an owner left running on this host: pids of another machine or container mean other processes here. */
const leftBy = ({ host, guard, servers }: Holder & HomeLockData): HomeLockData =>
  host === hostname() ? { guard, servers } : {};

function describeOwner(home: string, path: string, { holder, lastSeen }: LockHeldError): string {
  const owner: Holder & HomeLockData = holder;
  const addresses = [
    owner.mongodb_uri && `MongoDB at ${owner.mongodb_uri}`,
    owner.temporal_address && `Temporal at ${owner.temporal_address}`,
    owner.temporal_ui && `its UI at ${owner.temporal_ui}`,
  ].filter(Boolean);
  const what = addresses.length > 0 ? addresses.join(', ') : 'it is still starting';
  const isHere = owner.host === hostname();
  const stop = isHere ? `Stop it (kill ${String(owner.pid)})` : 'Stop it there';
  const silent = silentAfter(owner);
  const advice =
    silent !== null
      ? `${stop}, or set LEADWIRE_HOME to another folder.`
      : `${stop}; if that process, machine or container is gone, delete ${path}.`;
  return (
    `${home} is in use by ${nameOf(owner)} since ${owner.started_at}: ${what}. ` +
    (silent === null ? '' : `It was last seen alive at ${lastSeen.toISOString()}. `) +
    advice
  );
}

/** How long a guard may take to stop servers by itself, milliseconds. */
const STOP_TIMEOUT_MS = 30_000;
const KILL_AFTER_MS = 10_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits until the servers of an owner that died are gone. Its guard stops them; if it
 * died too, this process does.
 * @throws {Error} when one cannot be stopped
 */
export async function clearLeftovers(lock: HomeLock, reporter: Reporter): Promise<void> {
  const { guard, servers = [] } = lock.previous ? leftBy(lock.previous) : {};
  // A server that cannot be distinguished from another process with its pid is left alone.
  const left = () => servers.filter((server) => lifeOf(server) === 'alive');
  const guarded = () => guard !== undefined && isAlive(guard);
  if (left().length === 0 && !guarded()) return;
  reporter.start('Waiting for the servers of an earlier run to stop');
  await until(() => !guarded(), STOP_TIMEOUT_MS);
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    for (const server of left().reverse()) signal(server, name);
    await until(() => left().length === 0, KILL_AFTER_MS);
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
  while (!condition() && Date.now() < deadline) await sleep(POLL_INTERVAL_MS);
}
