/** `npm start` builds only what has changed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ROOT } from './repository.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadwire-build-'));
  for (const name of ['src/part', 'workflows', 'activities', 'cli'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['src/part/one.ts', 'src/part/two.ts', 'tsconfig.json', 'package-lock.json'])
    write(name);
  age();
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string): void => writeFileSync(join(folder, name), '');
/** Everything was changed an hour ago. */
const age = (): void => {
  const then = new Date(Date.now() - 3_600_000);
  const names = ['src/part/one.ts', 'src/part/two.ts', 'tsconfig.json', 'package-lock.json'];
  for (const name of [...names, 'src', 'src/part', 'workflows', 'activities', 'cli'])
    utimesSync(join(folder, name), then, then);
};

/** What the build printed, and the code it ended with. */
const start = (code = 0): [string, number | null] => {
  const build = ['-e', `console.log('built'); process.exit(${code})`];
  const args = [join(ROOT, '.ci/unlessBuilt.mjs'), process.execPath, ...build];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: folder });
  return [String(stdout).trim(), status];
};

it('is built at first, and again once something has changed, also by a deletion', () => {
  expect(start()).toEqual(['built', 0]);
  expect(start()).toEqual(['', 0]);
  write('src/part/one.ts');
  expect(start()).toEqual(['built', 0]);
  expect(start()).toEqual(['', 0]);
  rmSync(join(folder, 'src/part/two.ts'));
  expect(start()).toEqual(['built', 0]);
  expect(start()).toEqual(['', 0]);
});

it('is built again after a build that failed', () => {
  write('package-lock.json');
  expect(start(2)).toEqual(['built', 2]);
  expect(start()).toEqual(['built', 0]);
  expect(start()).toEqual(['', 0]);
});
