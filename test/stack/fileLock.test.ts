import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, LockHeldError, readHolder } from '../../src/stack/fileLock.js';
import { lockHome } from '../../src/stack/homeLock.js';
import { markProcess } from '../../src/stack/processes.js';
import { testFolder, type TestFolder } from './support.js';

describe('a lock file', () => {
  let folder: TestFolder;
  let path: string;
  beforeEach(() => {
    folder = testFolder();
    path = join(folder.path, 'lock.json');
  });
  afterEach(() => folder.remove());

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

  it('has one owner, who can add to it and give it back', () => {
    const lock = acquireLock(path, {});
    expect(lock.previous).toBeNull();
    expect(() => acquireLock(path, {})).toThrow(LockHeldError);
    lock.update({ address: 'here' });
    expect(readHolder(path)).toMatchObject({ pid: process.pid, address: 'here' });
    lock.release();
    expect(readdirSync(folder.path)).toEqual([]);
    acquireLock(path, {}).release();
  });

  it('is taken over from a dead process, with what that had written', async () => {
    put(holder({ pid: await deadPid(), process_start: '', servers: [1] }));
    const lock = acquireLock<{ servers?: number[] }>(path, {});
    expect(lock.previous).toMatchObject({ token: 'other', servers: [1] });
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });

  it('is taken over when the pid now belongs to another process', () => {
    put(holder({ process_start: 'another-boot:1' }));
    expect(acquireLock(path, {}).previous).toMatchObject({ token: 'other' });
  });

  it('is taken over when it is not readable any more', () => {
    writeFileSync(path, '');
    expect(acquireLock(path, {}).previous).toMatchObject({ token: 'unreadable' });
  });

  it('is taken over from one that died while taking it over', async () => {
    const pid = await deadPid();
    put(holder({ pid, process_start: '' }));
    writeFileSync(`${path}.other`, JSON.stringify(holder({ pid, token: 'second' })));
    expect(acquireLock(path, {}).previous).toMatchObject({ token: 'other' });
    expect(readdirSync(folder.path)).toEqual(['lock.json']);
  });

  it('is not taken over while another takes it over', async () => {
    put(holder({ pid: await deadPid(), process_start: '' }));
    writeFileSync(`${path}.other`, JSON.stringify(holder({ token: 'second' })));
    expect(() => acquireLock(path, {})).toThrow(LockHeldError);
  });

  it('of a dead process goes to exactly one of many that want it', async () => {
    put(holder({ pid: await deadPid(), process_start: '' }));
    const script = fileURLToPath(new URL('./lockProcess.js', import.meta.url));
    const runs = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [script, path], { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    const answers = await Promise.all(
      runs.map(async (run) => ((await once(run.stdout, 'data')) as Buffer[]).join('').trim()),
    );
    expect(answers.sort()).toEqual(['mine', 'taken', 'taken', 'taken']);
    runs.forEach((run) => run.stdin.end());
  });

  it('of another machine is left alone, and says what to do', () => {
    put(holder({ host: 'elsewhere', pid: 7 }));
    expect(() => lockHome(path, '/srv/home')).toThrow(
      '/srv/home is in use by process 7 on elsewhere since 2026-01-01T00:00:00.000Z: ' +
        'it is still starting. Stop it there; if that machine or container is gone, ' +
        `delete ${path}.`,
    );
    expect(readFileSync(path, 'utf8')).toContain('elsewhere');
  });
});
