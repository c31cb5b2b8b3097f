/**
 * The program as a process: what no test within this one can show. Every other test of it runs it in its own process
 * (`test/support/cli.ts`), which takes a tenth of the time.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, stat, symlink } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCli } from '../support/cli.js';
import { MAIN, startProgram } from '../support/program.js';
import { endlessLists, type EndlessLists } from './endlessLists.js';

/** Every write to it fails as on a full disk; Linux has it. */
const FULL = '/dev/full';

let home: string;
let lists: EndlessLists;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-main-'));
  await mkdir(join(home, 'bin'));
  await symlink(MAIN, join(home, 'bin', 'leadwire'));
  lists = await endlessLists();
});
afterAll(async () => {
  await lists.stop();
  await rm(home, { recursive: true });
});

/** Runs a line of a shell, for which `leadwire` is the program as npm installs it. */
function inShell(line: string, stdout: number | 'pipe') {
  const path = [join(home, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
  const child = spawn('sh', ['-c', line], { env: { ...lists.environment, PATH: path }, stdio });
  const stderr = child.stderr ? text(child.stderr) : Promise.resolve('');
  const ended = once(child, 'close').then(async ([code]) => ({
    code: code as number | null,
    stderr: await stderr,
  }));
  return { child, ended };
}

describe('a result that cannot be written', () => {
  (existsSync(FULL) ? it : it.skip)(
    'ends it with 1 where the reason cannot be written either',
    async () => {
      const { ended } = inShell(`exec leadwire man 2>${FULL} >&2`, 'pipe');
      expect(await ended).toEqual({ code: 1, stderr: '' });
    },
  );

  it('ends it with 1 and the reason where a part was written', async () => {
    const path = join(home, 'leadwire.1');
    const file = await open(path, 'w');
    // A file has at most 4 KiB: a write beyond that is shortened, and the next one fails.
    const { ended } = inShell('ulimit -f 8 && exec leadwire man', file.fd);
    expect(await ended).toEqual({
      code: 1,
      stderr: 'Error: The output could not be written: file too large.\n',
    });
    await file.close();
    expect((await stat(path)).size).toBeGreaterThan(0);
  });

  it('ends it quietly with 0 where its reader is gone', async () => {
    const { child, ended } = inShell('exec leadwire audit list --all --jsonl', 'pipe');
    // A reader that is gone before the first line.
    child.stdout?.destroy();
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });
});

it('ends when a slow reader has all of a long result', async () => {
  const { stdout } = await runCli(['man']);
  // More than a pipe holds.
  expect(stdout.length).toBeGreaterThan(65_536);
  const { child, ended } = startProgram(['man'], {});
  child.stdout.pause();
  await once(child.stdout, 'readable');
  child.stdout.resume();
  expect(await ended).toEqual({ code: 0, stdout, stderr: '' });
});

it('reads standard input, and ends a call with 2 at Ctrl-C', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const call = startProgram(['buyers', 'create', '--input', '-'], {
    ...lists.environment,
    LEADWIRE_URL: url,
  });
  call.child.stdin.end('{"name":"Acme"}');
  const [request] = (await once(silent, 'request')) as [IncomingMessage];
  expect(await text(request)).toBe('{"name":"Acme"}');
  expect(await call.interrupted()).toEqual({
    code: 2,
    stdout: '',
    stderr: 'Error: Canceled. The request may have been carried out: check the current state.\n',
  });
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});
