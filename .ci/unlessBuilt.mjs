/**
 * Runs the build (the arguments) unless nothing has changed since it last ended well: a start then waits for no compiler.
 *
 *   node .ci/unlessBuilt.mjs npm run --silent build
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** All that the started program is built from; tests are not. */
const SOURCES = ['src', 'workflows', 'activities', 'cli', 'tsconfig.json', 'package-lock.json'];
/** Its time is the beginning of the build that made what is in `dist`. */
const STAMP = join('dist', '.built');

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** A folder is changed when a file in it is made, renamed or deleted. */
function newestIn(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? Infinity;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

const begun = new Date();
if (SOURCES.some((path) => newestIn(path) >= timeOf(STAMP))) {
  rmSync(STAMP, { force: true });
  const [command, ...args] = process.argv.slice(2);
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, '');
  utimesSync(STAMP, begun, begun);
}
