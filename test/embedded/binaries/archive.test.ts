import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { archiveInstaller, verifySha256 } from '../../../src/embedded/binaries/archive.js';
import { ensureBinary } from '../../../src/embedded/binaries/binary.js';
import { checkBinary } from '../../../src/embedded/binaries/programs.js';
import {
  MONGODB_ARCHIVES,
  TEMPORAL_ARCHIVES,
  TEMPORAL_MODULE,
  type Archive,
} from '../../../src/embedded/binaries/pins.js';
import { run } from '../../../src/embedded/binaries/run.js';
import { bringModule } from '../../../src/embedded/binaries/temporalInstallers.js';
import { recordingReporter, testFolder, type TestFolder } from '../support.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

const fake = (path: string, script: string): void => {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
};
const sha256 = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');
const WRONG = 'f'.repeat(64);

describe('an official archive', () => {
  let server: Server;
  let asked: string[];
  let archive: Archive;

  beforeEach(async () => {
    const inside = join(folder.path, 'mongodb-linux-9.9.9', 'bin');
    mkdirSync(inside, { recursive: true });
    fake(join(inside, 'mongod'), 'echo "db version v7.0.99"');
    const file = join(folder.path, 'mongodb.tgz');
    await run('tar', ['-czf', file, '-C', folder.path, 'mongodb-linux-9.9.9'], { timeout: 10_000 });
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end(readFileSync(file));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${String(port)}/mongodb.tgz`;
    archive = { version: '7.0.99', url, sha256: sha256(file) };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  const installer = (more: Partial<Archive> = {}, platform = 'linux x64') =>
    archiveInstaller({
      what: 'MongoDB',
      program: 'mongod',
      platform,
      archives: { 'linux x64': { ...archive, ...more } },
    });
  const work = (): string => {
    const path = join(folder.path, 'work');
    mkdirSync(path);
    return path;
  };

  it('is unpacked when its SHA-256 matches the pinned one', async () => {
    const program = await installer().install(work(), () => undefined);
    expect(await checkBinary('mongod', program)).toBe('db version v7.0.99');
  });

  it('is deleted, not unpacked, when its SHA-256 is another; the error has both', async () => {
    const place = work();
    await expect(installer({ sha256: WRONG }).install(place, () => undefined)).rejects.toThrow(
      `the SHA-256 of ${archive.url} is ${archive.sha256}, expected ${WRONG}: `,
    );
    expect(readdirSync(place)).toEqual([]);
  });

  it('falls back to the next source, which has its own checksum, and reports the failure', async () => {
    const reporter = recordingReporter();
    const cacheDir = join(folder.path, 'cache');
    const found = await ensureBinary({
      name: 'mongod',
      variable: 'LEADWIRE_MONGOD',
      searchPath: '',
      cacheDir,
      reporter,
      installers: [installer({ sha256: WRONG, version: '7.0.98' }), installer()],
      check: (path) => checkBinary('mongod', path),
    });
    expect(await checkBinary('mongod', found)).toBe('db version v7.0.99');
    expect(reporter.said.filter((line) => line.startsWith('fail:'))).toEqual([
      expect.stringContaining(`is ${archive.sha256}, expected ${WRONG}`),
    ]);
    expect(readdirSync(cacheDir)).toEqual(['mongod']);
  });

  it('is refused for a platform without a checksum, and nothing is downloaded', async () => {
    await expect(installer({}, 'sunos sparc').install(work(), () => undefined)).rejects.toThrow(
      'the SHA-256 of an archive is known for linux x64, not for sunos sparc',
    );
    expect(asked).toEqual([]);
  });
});

describe('the pinned checksums', () => {
  const platforms = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];

  it('cover Linux and macOS on both processors, over HTTPS', () => {
    for (const archives of [MONGODB_ARCHIVES, TEMPORAL_ARCHIVES]) {
      expect(Object.keys(archives)).toEqual(platforms);
      for (const { url, version, sha256: sum } of Object.values(archives)) {
        expect(url).toMatch(/^https:\/\//);
        expect(url).toContain(version);
        expect(sum).toMatch(/^[0-9a-f]{64}$/);
      }
    }
    const sums = [MONGODB_ARCHIVES, TEMPORAL_ARCHIVES].flatMap(Object.values<Archive>);
    expect(new Set(sums.map(({ sha256: sum }) => sum)).size).toBe(sums.length);
  });

  it('are of MongoDB releases that have the fix for CVE-2025-14847', () => {
    for (const { version } of Object.values(MONGODB_ARCHIVES)) {
      const [major, minor, patch] = version.split('.').map(Number);
      expect([major, minor]).toEqual([7, 0]);
      expect(patch).toBeGreaterThanOrEqual(28);
    }
  });
});

describe('verifySha256', () => {
  it('deletes a file that was changed, and names both sums', async () => {
    const path = join(folder.path, 'wheel');
    writeFileSync(path, 'changed');
    const found = sha256(path);
    await expect(verifySha256(path, WRONG, 'the wheel')).rejects.toThrow(
      `the SHA-256 of the wheel is ${found}, expected ${WRONG}`,
    );
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe('the module that Temporal is built from', () => {
  const go = (sum: string) => {
    const told = {
      Path: TEMPORAL_MODULE.path,
      Dir: '/where/go keeps it',
      Sum: sum,
      GoModSum: 'h1:x',
    };
    fake(join(folder.path, 'go'), `cat <<'END'\n${JSON.stringify(told, null, 2)}\nEND`);
    return { PATH: `${folder.path}:${process.env.PATH ?? ''}` };
  };

  it("is built in Go's module cache when its checksum matches the pinned one", async () => {
    const env = go(TEMPORAL_MODULE.sum);
    expect(await bringModule(TEMPORAL_MODULE, folder.path, env)).toBe('/where/go keeps it');
  });

  it('is refused when Go finds another checksum', async () => {
    const env = go('h1:another=');
    await expect(bringModule(TEMPORAL_MODULE, folder.path, env)).rejects.toThrow(
      `is h1:another=, expected ${TEMPORAL_MODULE.sum}: nothing of it was built`,
    );
  });
});
