/** Results that cannot be written: a full disk, and a reader that is gone. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', '..', 'cli', 'main.js');
/** Every write to it fails as on a full disk; Linux has it. */
const FULL = '/dev/full';
const NO_SPACE = 'Error: The output could not be written: no space left on device.\n';

let home: string;
/** A server whose lists have no end. */
let server: Server;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-output-'));
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }], next_cursor: 'more' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  environment = {
    PATH: process.env.PATH,
    HOME: home,
    LEADWIRE_URL: `http://127.0.0.1:${port}`,
    LEADWIRE_API_KEY: 'k',
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await rm(home, { recursive: true });
});

async function ended(command: string, args: readonly string[], stdout: number | 'pipe') {
  const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
  const child = spawn(command, args, { env: environment, stdio });
  // A reader that is gone before the first line.
  child.stdout?.destroy();
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr };
}

const onLinux = existsSync(FULL) ? it : it.skip;

describe('an output that cannot be written', () => {
  onLinux.each([
    [['man']],
    [['--help']],
    [['audit', 'list', '--json', '--limit', '2']],
    [['audit', 'list', '--csv', '--limit', '2']],
    [['audit', 'list', '--all', '--jsonl']],
  ])('ends %j with 1 and the reason', async (args) => {
    const full = await open(FULL, 'w');
    const { code, stderr } = await ended(process.execPath, [MAIN, ...args], full.fd);
    await full.close();
    expect(stderr.replace(/^Showing 2, .*\n/, '')).toBe(NO_SPACE);
    expect(code).toBe(1);
  });

  onLinux('ends with 1 where the reason cannot be written either', async () => {
    const line = `exec "$0" "$1" man 2>${FULL} >&2`;
    const { code } = await ended('sh', ['-c', line, process.execPath, MAIN], 'pipe');
    expect(code).toBe(1);
  });

  it('is one of which a part was written', async () => {
    const path = join(home, 'leadwire.1');
    const file = await open(path, 'w');
    // A file has at most 4 KiB: a write beyond that is shortened, and the next one fails.
    const line = 'ulimit -f 8 && exec "$0" "$1" man';
    const { code, stderr } = await ended('sh', ['-c', line, process.execPath, MAIN], file.fd);
    await file.close();
    expect(stderr).toBe('Error: The output could not be written: file too large.\n');
    expect(code).toBe(1);
    expect((await stat(path)).size).toBeGreaterThan(0);
  });
});

it('ends quietly with 0 when its reader is gone', async () => {
  for (const args of [['man'], ['audit', 'list', '--json', '--limit', '2']]) {
    const { code, stderr } = await ended(process.execPath, [MAIN, ...args], 'pipe');
    expect(stderr.replace(/^Showing 2, .*\n/, '')).toBe('');
    expect(code).toBe(0);
  }
});
