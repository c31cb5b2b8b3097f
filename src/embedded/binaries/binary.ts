/** Finds a server program, or installs one. */
import { constants, accessSync, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { messageOf } from '../format.js';
import type { ServerName } from '../guardMessages.js';
import { installOnce, type InstallRequest } from './cache.js';

export interface BinaryRequest extends Omit<InstallRequest, 'target' | 'tried'> {
  name: ServerName;
  /** The value of `variable`. One that does not work is an error, never passed over. */
  given?: string;
  /** The PATH to look in. */
  searchPath: string;
  cacheDir: string;
}

/**
 * The first that works of: the given program, PATH, the cache, each installer.
 * @throws {Error} that lists each place tried, with the reason, and how to name a program by hand
 */
export async function ensureBinary(request: BinaryRequest): Promise<string> {
  const { name, variable, given, check } = request;
  if (given) {
    await check(given).catch((error: unknown) => {
      const reason = messageOf(error);
      throw new Error(
        `${variable}=${given} cannot be used: ${reason}. Point ${variable} at a ${name} program that runs here, or unset it.`,
      );
    });
    return given;
  }
  const tried: string[] = [];
  const cached = resolve(join(request.cacheDir, name));
  for (const path of [...onPath(name, request.searchPath), cached]) {
    if (path === cached && !existsSync(cached)) continue;
    try {
      await check(path);
      return path;
    } catch (error) {
      tried.push(`${path}: ${messageOf(error)}`);
    }
  }
  if (!tried.some((line) => !line.startsWith(cached))) tried.unshift(`${name} on PATH: none`);
  return installOnce({ ...request, target: cached, tried });
}

/** Executable files of that name, in the order of PATH. */
function onPath(name: string, searchPath: string): string[] {
  const folders = searchPath.split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
