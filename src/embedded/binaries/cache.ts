/** The folder of server programs: filled once, even when many first runs start at the same time. */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock, LockHeldError, type FileLock } from '../fileLock.js';
import { messageOf } from '../format.js';
import { markProcess } from '../processes.js';
import type { Reporter } from '../reporter.js';

export interface Installer {
  /** What it does, for people: `official download of MongoDB 7.0.37`. */
  title: string;
  /**
   * Puts the program somewhere under `folder` (empty, its own) and returns the path.
   * @throws {Error} with the reason
   */
  install: (folder: string, progress: (text: string) => void) => Promise<string>;
}

export interface InstallRequest {
  name: string;
  /** The setting by which the operator names a program. */
  variable: string;
  /** The path of the installed program. */
  target: string;
  /** Tried in this order. */
  installers: readonly Installer[];
  /** @returns the version @throws {Error} with the reason it cannot be used */
  check: (path: string) => Promise<string>;
  reporter: Reporter;
  /** What was tried before, with reasons. */
  tried: readonly string[];
}

const POLL_INTERVAL_MS = 250;

/** Installs the program, or waits for the process that is doing so. */
export async function installOnce(request: InstallRequest): Promise<string> {
  const folder = dirname(request.target);
  mkdirSync(folder, { recursive: true });
  const lock = await lockOrWait(request);
  try {
    if (await works(request)) return request.target;
    clearAbandoned(folder);
    return await install(request, folder);
  } finally {
    lock?.release();
  }
}

const works = async ({ target, check }: InstallRequest): Promise<boolean> =>
  existsSync(target) &&
  (await check(target).then(
    () => true,
    () => false,
  ));

/** Null: another machine holds the lock, and its process cannot be waited for; the rename makes both safe. */
async function lockOrWait(request: InstallRequest): Promise<FileLock<object> | null> {
  const { name, target, reporter } = request;
  for (let waited = false; ; waited = true) {
    try {
      const lock = await acquireLock(`${target}.lock`, {});
      if (waited) reporter.done(`Waited for ${name}`);
      return lock;
    } catch (error) {
      if (!(error instanceof LockHeldError)) throw error;
      if (error.holder.host !== hostname()) return null;
      const owner = String(error.holder.pid);
      if (!waited) reporter.start(`Waiting for ${name}, which process ${owner} is installing`);
      await sleep(POLL_INTERVAL_MS);
    }
  }
}

async function install(request: InstallRequest, folder: string): Promise<string> {
  const { name, target, installers, check, reporter } = request;
  const tried = [...request.tried];
  for (const installer of installers) {
    const work = join(folder, `.tmp-${String(process.pid)}-${randomUUID()}`);
    reporter.start(`Installing ${name}: ${installer.title}`);
    try {
      mkdirSync(work);
      const made = await installer.install(work, (text) => reporter.progress(text));
      chmodSync(made, 0o755);
      const version = await check(made);
      // Another machine with the same cache may have been first: its file may be in use, so it stays.
      if (!(await works(request))) renameSync(made, target);
      reporter.done(`Installed ${name} (${version}) as ${target}`);
      return target;
    } catch (error) {
      reporter.fail(`${installer.title}: ${messageOf(error)}`);
      tried.push(`${installer.title}: ${messageOf(error)}`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  throw new Error(
    [
      `No ${name} program was found, and none could be downloaded. Tried:`,
      ...tried.map((line, index) => `  ${String(index + 1)}. ${line}`),
      `Install ${name} and set its path: ${request.variable}=/path/to/${name}`,
    ].join('\n'),
  );
}

/** Removes work folders of processes that died. */
function clearAbandoned(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const owner = /^\.tmp-(\d+)-/.exec(entry)?.[1];
    if (owner && !markProcess(Number(owner))) {
      rmSync(join(folder, entry), { recursive: true, force: true });
    }
  }
}
