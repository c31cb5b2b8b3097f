import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes of all files under a folder that others are writing to; what vanishes meanwhile counts 0. */
export function folderSize(folder: string): number {
  return listing(folder).reduce((sum, entry) => sum + fileSize(join(folder, entry)), 0);
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

function fileSize(path: string): number {
  try {
    const entry = statSync(path);
    return entry.isFile() ? entry.size : 0;
  } catch {
    return 0;
  }
}
