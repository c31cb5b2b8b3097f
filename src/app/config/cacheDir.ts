import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's cache directory, by the XDG rule (macOS has its own). */
export function defaultCacheDir(environment: Record<string, string | undefined>): string {
  if (environment.XDG_CACHE_HOME) return join(environment.XDG_CACHE_HOME, 'leadwire');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'leadwire');
  return join(homedir(), '.cache', 'leadwire');
}
