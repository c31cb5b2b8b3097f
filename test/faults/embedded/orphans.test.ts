import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readHolder } from '../../../src/embedded/fileLock.js';
import type { HomeLockData } from '../../../src/embedded/homeLock.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { startStack } from '../../../src/embedded/stack.js';
import {
  recordingReporter,
  stackOptions,
  testFolder,
  type TestFolder,
} from '../../embedded/support.js';
import { waitFor } from '../../support/waitFor.js';

interface OwnerReport {
  processes: { name: string; pid: number }[];
}

describe('when the owner is killed or loses its home', () => {
  let folder: TestFolder;
  const owners: ChildProcess[] = [];

  beforeEach(() => {
    folder = testFolder();
  });
  afterEach(() => {
    for (const owner of owners.splice(0)) owner.kill('SIGKILL');
    folder.remove();
  });

  async function startOwner(): Promise<{ owner: ChildProcess; report: OwnerReport }> {
    const script = fileURLToPath(new URL('../../embedded/ownerProcess.js', import.meta.url));
    const owner = spawn(process.execPath, [script, JSON.stringify(stackOptions(folder.path))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    owners.push(owner);
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    return { owner, report: JSON.parse(line.toString()) as OwnerReport };
  }
  async function kill(owner: ChildProcess): Promise<void> {
    owner.kill('SIGKILL');
    await once(owner, 'exit');
  }
  const left = (report: OwnerReport) => report.processes.filter(({ pid }) => markProcess(pid));

  it('leaves no server behind, and the next start on the same home works', async () => {
    const { owner, report } = await startOwner();
    expect(left(report)).toHaveLength(2);
    await kill(owner);

    const next = await startStack(stackOptions(folder.path));
    expect(left(report)).toEqual([]);
    await next.stop();
  });

  it('stops the servers itself when the guard was killed with the owner', async () => {
    const { owner, report } = await startOwner();
    const lock = readHolder(join(folder.path, 'lock.json')) as HomeLockData | null;
    owner.kill('SIGSTOP');
    process.kill(lock?.guard?.pid ?? 0, 'SIGKILL');
    await kill(owner);
    await waitFor(() => markProcess(lock?.guard?.pid ?? 0) === null);
    expect(left(report)).toHaveLength(2);

    const reporter = recordingReporter();
    const options = { ...stackOptions(folder.path), temporalAddress: '127.0.0.1:1', reporter };
    const next = await startStack(options);
    expect(left(report)).toEqual([]);
    expect(reporter.said).toContain('done: The servers of an earlier run have stopped');
    expect(readFileSync(join(folder.path, 'lock.json'), 'utf8')).toContain(String(process.pid));
    await next.stop();
  });

  it('stops its servers at once when another process took over its lock', async () => {
    const reporter = recordingReporter();
    const stack = await startStack({ ...stackOptions(folder.path), reporter });
    const exits: string[] = [];
    stack.onNews((news) => exits.push(`${news.kind} ${news.name}`));
    const path = join(folder.path, 'lock.json');
    const other = JSON.stringify({ ...readHolder(path), token: 'another' });
    writeFileSync(path, other);
    await waitFor(() => exits.length === 2);
    expect(exits.sort()).toEqual(['given_up mongod', 'given_up temporal']);
    expect(stack.processes.filter(({ pid }) => markProcess(pid))).toEqual([]);
    expect(reporter.said.at(-1)).toContain('this process was considered dead');
    await stack.stop();
    expect(readFileSync(path, 'utf8')).toBe(other);
  });
});
