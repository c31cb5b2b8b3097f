/** The files of the repository that tests of the deployment read. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with the compiled code: `dist`, or another folder of the same structure. */
export const COMPILED = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of `package.json`. */
export const ROOT = rootAbove(COMPILED);

export const readRoot = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Manifest {
  version: string;
  engines: { node: string };
  optionalDependencies: Record<string, string>;
  scripts: Record<string, string>;
}

export const manifest = (): Manifest => JSON.parse(readRoot('package.json')) as Manifest;

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const above = dirname(folder);
  if (above === folder) throw new Error('No package.json lies above the tests.');
  return rootAbove(above);
}
