import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ensureBinary, type BinaryRequest } from '../../../src/embedded/binaries/binary.js';
import { checkBinary } from '../../../src/embedded/binaries/programs.js';
import type { Installer } from '../../../src/embedded/binaries/cache.js';
import { recordingReporter, testFolder, type TestFolder } from '../support.js';

describe('ensureBinary', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = testFolder();
  });
  afterEach(() => folder.remove());

  /** A program that prints its version, in a folder of its own. */
  function program(place: string, version: string): string {
    const path = join(folder.path, place, 'mongod');
    mkdirSync(join(folder.path, place), { recursive: true });
    writeFileSync(path, `#!/bin/sh\necho "db version v${version}"\n`);
    chmodSync(path, 0o755);
    return path;
  }
  const installs = (version: string): Installer => ({
    title: `installer of ${version}`,
    install: (work) => Promise.resolve(program(work.slice(folder.path.length), version)),
  });
  const fails = (reason: string): Installer => ({
    title: `installer that meets ${reason}`,
    install: () => Promise.reject(new Error(reason)),
  });
  const request = (more: Partial<BinaryRequest> = {}): BinaryRequest => ({
    name: 'mongod',
    variable: 'LEADWIRE_MONGOD',
    searchPath: '',
    cacheDir: join(folder.path, 'cache'),
    installers: [fails('no network')],
    check: (path) => checkBinary('mongod', path),
    reporter: recordingReporter(),
    ...more,
  });
  const kept = () => join(folder.path, 'cache', 'mongod');

  it('uses the given program before all others', async () => {
    const given = program('given', '7.0.1');
    const searchPath = join(program('path', '7.0.1'), '..');
    expect(await ensureBinary(request({ given, searchPath }))).toBe(given);
  });

  it('refuses a given program that does not work, without looking further', async () => {
    program('cache', '7.0.1');
    await expect(ensureBinary(request({ given: '/nowhere/mongod' }))).rejects.toThrow(
      'LEADWIRE_MONGOD=/nowhere/mongod cannot be used: /nowhere/mongod was not found. ' +
        'Point LEADWIRE_MONGOD at a mongod program that runs here, or unset it.',
    );
  });

  it('uses a program on PATH before the cache, and skips one that is too old', async () => {
    program('cache', '7.0.1');
    const old = join(program('old', '4.4.2'), '..');
    const good = program('good', '6.0.5');
    const searchPath = [old, join(folder.path, 'absent'), join(good, '..')].join(delimiter);
    expect(await ensureBinary(request({ searchPath }))).toBe(good);
    expect(await ensureBinary(request({ searchPath: old }))).toBe(kept());
  });

  it('tries the installers in order and keeps the first program that works', async () => {
    const reporter = recordingReporter();
    const installers = [fails('no network'), installs('4.0.0'), installs('8.0.1'), fails('never')];
    expect(await ensureBinary(request({ installers, reporter }))).toBe(kept());
    expect(await checkBinary('mongod', kept())).toBe('db version v8.0.1');
    expect(reporter.said).toEqual([
      'start: Installing mongod: installer that meets no network',
      'fail: installer that meets no network: no network',
      'start: Installing mongod: installer of 4.0.0',
      'fail: installer of 4.0.0: MongoDB 6.0 or newer is needed, it is db version v4.0.0',
      'start: Installing mongod: installer of 8.0.1',
      `done: Installed mongod (db version v8.0.1) as ${kept()}`,
    ]);
  });

  it('replaces a program in the cache that no longer works', async () => {
    program('cache', '4.0.0');
    expect(await ensureBinary(request({ installers: [installs('7.0.9')] }))).toBe(kept());
    expect(await checkBinary('mongod', kept())).toBe('db version v7.0.9');
  });

  it('lists all attempts, each reason, and how to set a program by hand', async () => {
    const old = join(program('old', '4.4.2'), '..');
    const installers = [fails('no network'), fails('no python3')];
    await expect(ensureBinary(request({ searchPath: old, installers }))).rejects.toThrow(
      [
        'No mongod program was found, and none could be downloaded. Tried:',
        `  1. ${old}/mongod: MongoDB 6.0 or newer is needed, it is db version v4.4.2`,
        '  2. installer that meets no network: no network',
        '  3. installer that meets no python3: no python3',
        'Install mongod and set its path: LEADWIRE_MONGOD=/path/to/mongod',
      ].join('\n'),
    );
  });
});

describe('checkBinary', () => {
  it('refuses a program that is something else', async () => {
    await expect(checkBinary('temporal', process.execPath)).rejects.toThrow(
      'it does not report its Temporal server version',
    );
  });
});
