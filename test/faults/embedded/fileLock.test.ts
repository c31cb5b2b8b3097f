import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acquireLock, LockHeldError, readHolder } from '../../../src/embedded/fileLock.js';
import { clearLeftovers, lockHome } from '../../../src/embedded/homeLock.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { silentReporter } from '../../support/silentReporter.js';
import { recordingReporter, testFolder, type TestFolder } from '../../embedded/support.js';

describe('a lock file', () => {
  let folder: TestFolder;
  let path: string;
  beforeEach(() => {
    folder = testFolder();
    path = join(folder.path, 'lock.json');
  });
  const started: ChildProcess[] = [];
  afterEach(() => {
    for (const run of started.splice(0)) run.kill('SIGKILL');
    folder.remove();
  });

  const holder = (more: object = {}) => ({
    ...markProcess(process.pid),
    token: 'other',
    host: hostname(),
    started_at: '2026-01-01T00:00:00.000Z',
    ...more,
  });
  const put = (content: object) => writeFileSync(path, JSON.stringify(content));
  async function deadPid(): Promise<number> {
    const child = spawn('true');
    await once(child, 'close');
    return child.pid ?? 0;
  }

  it('has one owner, which can add to it and release it', async () => {
    const lock = await acquireLock(path, {});
    expect(lock.previous).toBeNull();
    await expect(acquireLock(path, {})).rejects.toThrow(LockHeldError);
    lock.update({ address: 'here' });
    expect(readHolder(path)).toMatchObject({ pid: process.pid, address: 'here' });
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
    (await acquireLock(path, {})).release();
  });

  it('is taken over from a dead process, with its content', async () => {
    put(holder({ pid: await deadPid(), process_start: '', servers: [1] }));
    const lock = await acquireLock<{ servers?: number[] }>(path, {});
    expect(lock.previous).toMatchObject({ token: 'other', servers: [1] });
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });

  it('is taken over when the pid now belongs to another process', async () => {
    put(holder({ process_start: 'another-boot:1' }));
    expect((await acquireLock(path, {})).previous).toMatchObject({ token: 'other' });
  });

  it('is taken over when it is no longer readable', async () => {
    writeFileSync(path, '');
    expect((await acquireLock(path, {})).previous).toMatchObject({ token: 'unreadable' });
  });

  it('is taken over from one that died while taking it over', async () => {
    const pid = await deadPid();
    put(holder({ pid, process_start: '' }));
    writeFileSync(`${path}.other`, JSON.stringify(holder({ pid, token: 'second' })));
    expect((await acquireLock(path, {})).previous).toMatchObject({ token: 'other' });
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });

  it('is not taken over while another takes it over', async () => {
    put(holder({ pid: await deadPid(), process_start: '' }));
    writeFileSync(`${path}.other`, JSON.stringify(holder({ token: 'second' })));
    await expect(acquireLock(path, {})).rejects.toThrow(LockHeldError);
  });

  /** A process that tries the lock, and its first output. */
  async function tries(
    host = hostname(),
    beat = 5_000,
  ): Promise<{ run: ChildProcess; said: string }> {
    const script = fileURLToPath(new URL('../../embedded/lockProcess.js', import.meta.url));
    const run = spawn(process.execPath, [script, path, host, String(beat)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    started.push(run);
    return { run, said: await next(run) };
  }
  const next = async (run: ChildProcess) =>
    ((await once(run.stdout ?? run, 'data')) as Buffer[]).join('').trim();

  it('of a dead process goes to exactly one of many that want it', async () => {
    put(holder({ pid: await deadPid(), process_start: '' }));
    const all = await Promise.all([tries(), tries(), tries(), tries()]);
    expect(all.map(({ said }) => said).sort()).toEqual(['mine', 'taken', 'taken', 'taken']);
  });

  it('of a process that was killed in another container is taken over after its silence', async () => {
    const { run, said } = await tries('container-1', 50);
    expect(said).toBe('mine');
    run.kill('SIGKILL');
    await once(run, 'close');
    const reporter = recordingReporter();
    const lock = await lockHome(path, '/srv/home', reporter);
    expect(lock.previous).toMatchObject({ pid: run.pid, host: 'container-1' });
    expect(reporter.said).toEqual([
      `start: Checking for up to 300 ms whether process ${String(run.pid)} on container-1, which holds /srv/home, is alive`,
      'done: Took over /srv/home: its owner is not alive',
    ]);
    expect(readHolder(path)).toMatchObject({ pid: process.pid, host: hostname() });
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('of a living process in another container is never taken over, and says what to do', async () => {
    const { run, said } = await tries('container-1', 300);
    expect(said).toBe('mine');
    for (let round = 0; round < 3; round += 1)
      await expect(acquireLock(path, {})).rejects.toThrow(LockHeldError);
    await expect(lockHome(path, '/srv/home', silentReporter)).rejects.toThrow(
      new RegExp(
        `^/srv/home is in use by process ${String(run.pid)} on container-1 since .*: it is still starting. ` +
          'It was last seen alive at 20.*Z. Stop it there, or set LEADWIRE_HOME to another folder.$',
      ),
    );
    expect(readHolder(path)).toMatchObject({ pid: run.pid });
  });

  it('is reported as lost to an owner that was suspended and considered dead', async () => {
    const { run } = await tries('container-1', 50);
    run.kill('SIGSTOP');
    const lock = await acquireLock(path, {});
    const says = next(run);
    run.kill('SIGCONT');
    expect(await says).toBe('lost');
    expect(readHolder(path)).toMatchObject({ pid: process.pid });
    lock.release();
  });

  it('of a silent owner goes to exactly one of many containers that watch it at once', async () => {
    put(holder({ host: 'container-1', pid: 7, beat_every_ms: 200 }));
    const hosts = ['container-2', 'container-3', 'container-4', 'container-5'];
    const all = await Promise.all(hosts.map((host) => tries(host, 300)));
    expect(all.map(({ said }) => said).sort()).toEqual(['mine', 'taken', 'taken', 'taken']);
  });

  it('is taken over after its silence where the system cannot distinguish processes', async () => {
    put(holder({ process_start: '', beat_every_ms: 20 }));
    expect((await acquireLock(path, {})).previous).toMatchObject({ token: 'other' });
  });

  it('is neither written nor removed by an owner that lost it', async () => {
    const lock = await acquireLock(path, {});
    put(holder({ token: 'thief' }));
    lock.update({ address: 'here' });
    await lock.lost;
    lock.release();
    expect(readHolder(path)).toEqual(holder({ token: 'thief' }));
  });

  it('that was taken over from another container ends no processes with the pids of its servers', async () => {
    const { run } = await tries();
    const servers = [{ name: 'mongod', ...markProcess(run.pid ?? 0) }];
    put(holder({ host: 'container-1', pid: 7, beat_every_ms: 20, servers }));
    const lock = await lockHome(path, '/srv/home', silentReporter);
    await clearLeftovers(lock, silentReporter);
    expect(markProcess(run.pid ?? 0)).not.toBeNull();
    expect(readHolder(path)).not.toHaveProperty('servers');
    lock.release();
  });

  it('of a release without heartbeats is not taken over, and says what to do', async () => {
    put(holder({ host: 'elsewhere', pid: 7 }));
    await expect(lockHome(path, '/srv/home', silentReporter)).rejects.toThrow(
      '/srv/home is in use by process 7 on elsewhere since 2026-01-01T00:00:00.000Z: ' +
        'it is still starting. Stop it there; if that process, machine or container is gone, ' +
        `delete ${path}.`,
    );
    expect(readFileSync(path, 'utf8')).toContain('elsewhere');
  });
});
