import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version in the nearest package.json above this file; the build puts one or more folders between. */
export function readVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return 'unknown';
    folder = parent;
  }
  const content = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version?: string;
  };
  return content.version ?? 'unknown';
}
