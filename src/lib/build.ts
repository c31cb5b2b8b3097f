/** Which build of Leadwire this is. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readVersion } from './version.js';

/** Where the build writes the commit it was made from: beside the compiled sources, so that an image has it too. */
export const COMMIT_PATH = join(import.meta.dirname, '../commit.txt');

export interface Build {
  version: string;
  /** `unknown` where it was built outside a repository. */
  commit: string;
  /** Null where the build did not come to its end. */
  builtAt: Date | null;
}

export function readBuild(): Build {
  const made = statSync(COMMIT_PATH, { throwIfNoEntry: false });
  const commit = made ? readFileSync(COMMIT_PATH, 'utf8').trim() : '';
  return { version: readVersion(), commit: commit || 'unknown', builtAt: made?.mtime ?? null };
}
