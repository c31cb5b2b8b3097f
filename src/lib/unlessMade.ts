/** Steps of the build that are left out while nothing has changed that they read. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Made {
  /** The file in which the hash of the sources is kept. It is written last: an interrupted build leaves none. */
  stamp: string;
  /** All that the step reads: files, and folders with all below them. */
  sources: readonly string[];
  /** Which files of the folders count; default: all. */
  counts?: (path: string) => boolean;
}

/** Makes something, unless the same sources have made it before. */
export async function unlessMade(
  { stamp, sources, counts = () => true }: Made,
  make: () => Promise<void>,
): Promise<void> {
  const hash = await hashOf(sources, counts);
  const made = await readFile(stamp, 'utf8').catch(() => null);
  if (made === hash) return;
  await rm(stamp, { force: true });
  await make();
  await writeFile(stamp, hash);
}

/** A hash of the paths and the bytes. */
async function hashOf(
  sources: readonly string[],
  counts: (path: string) => boolean,
): Promise<string> {
  const files = (await Promise.all(sources.map(filesAt))).flat().filter(counts);
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    const bytes = await readFile(file);
    hash.update(`${file} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/** The files below a folder; a file is its own list. */
export async function filesAt(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
