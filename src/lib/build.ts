/** Which build of Leadwire this is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from './version.js';

/** Where the build writes the commit it was made from: beside the compiled sources, so that an image has it too. */
export const COMMIT_PATH = join(import.meta.dirname, '../commit.txt');

/** `commit` is `unknown` where it was built outside a repository. */
export function readBuild(): { version: string; commit: string } {
  const commit = existsSync(COMMIT_PATH) ? readFileSync(COMMIT_PATH, 'utf8').trim() : '';
  return { version: readVersion(), commit: commit === '' ? 'unknown' : commit };
}
