import { mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { choosePorts } from '../../src/embedded/ports.js';
import { lastLines, logSize, readLog, rotateLog } from '../../src/embedded/serverLog.js';
import { plainReporter } from '../../src/embedded/terminalReporter.js';
import { testFolder, type TestFolder } from './support.js';

describe('the log of a server', () => {
  let folder: TestFolder;
  let path: string;
  beforeEach(() => {
    folder = testFolder();
    mkdirSync(join(folder.path, 'logs'));
    path = join(folder.path, 'logs', 'mongod.log');
  });
  afterEach(() => folder.remove());

  it('is read from where this start began', () => {
    expect([readLog(path, 0), logSize(path)]).toEqual(['', 0]);
    writeFileSync(path, 'earlier\nnow\n');
    expect(readLog(path, 'earlier\n'.length)).toBe('now\n');
  });

  it('is set aside when it has grown large', () => {
    writeFileSync(path, 'text');
    rotateLog(path);
    expect(logSize(path)).toBe(4);
    truncateSync(path, 17 * 1024 * 1024);
    rotateLog(path);
    expect(logSize(path)).toBe(0);
    expect(statSync(`${path}.1`).size).toBe(17 * 1024 * 1024);
  });

  it('is shown with its errors first, then its last lines', () => {
    const line = (s: string, msg: string) => JSON.stringify({ t: { $date: 0 }, s, msg });
    const log = [
      line('E', 'Address already in use'),
      ...Array.from({ length: 8 }, (_, n) => line('I', `step ${String(n)}`)),
      'plain',
    ];
    expect(lastLines(log.join('\n'))).toEqual([
      '[error] Address already in use',
      'step 3',
      'step 4',
      'step 5',
      'step 6',
      'step 7',
      'plain',
    ]);
  });
});

describe('choosePorts', () => {
  it('returns the preferred port if it is free, otherwise another', async () => {
    const [free] = await choosePorts([0]);
    expect(await choosePorts([free ?? 0])).toEqual([free]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port: taken } = server.address() as AddressInfo;
    const ports = await choosePorts([taken, taken]);
    expect(new Set([taken, ...ports]).size).toBe(3);
    server.close();
  });
});

describe('the plain reporter', () => {
  it('writes one line per step, with its time', () => {
    const lines: string[] = [];
    const reporter = plainReporter((line) => lines.push(line));
    reporter.start('Getting mongod');
    reporter.progress('12.0 MB');
    reporter.done('Got mongod');
    reporter.start('Starting MongoDB');
    reporter.fail('Starting MongoDB');
    reporter.info('That is all');
    expect(lines.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      '- Getting mongod',
      '✔ Got mongod (N ms)',
      '- Starting MongoDB',
      '✖ Starting MongoDB (N ms)',
      '  That is all',
    ]);
  });
});
