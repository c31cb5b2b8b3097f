import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { installOnce } from '../../../src/embedded/binaries/cache.js';
import { recordingReporter, testFolder, type TestFolder } from '../../embedded/support.js';
import { waitFor } from '../../support/waitFor.js';

const SCRIPT = fileURLToPath(new URL('../../embedded/installerProcess.js', import.meta.url));

describe('two first runs at the same time', () => {
  let folder: TestFolder;
  let target: string;
  beforeEach(() => {
    folder = testFolder();
    target = join(folder.path, 'cache', 'mongod');
  });
  afterEach(() => folder.remove());

  const firstRun = () =>
    spawn(process.execPath, [SCRIPT, target], { stdio: ['ignore', 'pipe', 'inherit'] });

  it('install once, and never show a half-written program', async () => {
    const seen = new Set<string>();
    const look = setInterval(() => existsSync(target) && seen.add(readFileSync(target, 'utf8')), 1);
    const runs = [firstRun(), firstRun(), firstRun()];
    const outputs = await Promise.all(
      runs.map(async (run) => {
        let output = '';
        run.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
        await once(run, 'close');
        return output.trim();
      }),
    );
    seen.add(readFileSync(target, 'utf8'));
    clearInterval(look);
    expect([...seen]).toEqual(['first half, second half']);
    expect(outputs.filter((output) => output === 'installed')).toHaveLength(1);
    expect(outputs.filter((output) => output === 'waited')).toHaveLength(2);
    expect(readdirSync(join(folder.path, 'cache'))).toEqual(['mongod']);
  });

  it('survive the death of the installing process, and remove its leftovers', async () => {
    const first = firstRun();
    const cache = join(folder.path, 'cache');
    await waitFor(
      () => existsSync(cache) && readdirSync(cache).some((name) => name.startsWith('.tmp-')),
    );
    first.kill('SIGKILL');
    await once(first, 'close');
    expect(existsSync(target)).toBe(false);

    const second = firstRun();
    await once(second, 'close');
    expect(readFileSync(target, 'utf8')).toBe('first half, second half');
    expect(readdirSync(cache)).toEqual(['mongod']);
  });

  it('keep the program of another machine that shares the cache and was first', async () => {
    mkdirSync(join(folder.path, 'cache'));
    const path = await installOnce({
      name: 'mongod',
      variable: 'LEADWIRE_MONGOD',
      target,
      tried: [],
      reporter: recordingReporter(),
      check: () => Promise.resolve('1'),
      installers: [
        {
          title: 'slow installer',
          install(work) {
            writeFileSync(target, 'theirs');
            writeFileSync(join(work, 'mongod'), 'ours');
            return Promise.resolve(join(work, 'mongod'));
          },
        },
      ],
    });
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });
});
