/** The servers of a running stack, found by its home: for commands that work on them from another process. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readHolder, type Holder } from './fileLock.js';
import type { HomeLockData } from './homeLock.js';
import { isAlive } from './processes.js';

export interface RunningServers {
  /** Absent: it is another server than an embedded one, or is still starting. */
  mongodbUri?: string;
  temporalAddress?: string;
  temporalUiUrl?: string;
}

/**
 * Null when none runs: the home has no owner, or its owner is dead. An owner on another machine or in a container cannot be
 * checked; its addresses are those that it wrote.
 */
export function findRunning(home: string): RunningServers | null {
  const holder: (Holder & HomeLockData) | null = readHolder(join(home, 'lock.json'));
  if (holder === null || (holder.host === hostname() && !isAlive(holder))) return null;
  const { mongodb_uri, temporal_address, temporal_ui } = holder;
  return { mongodbUri: mongodb_uri, temporalAddress: temporal_address, temporalUiUrl: temporal_ui };
}

/** The secret of the installation of a home; null: it has none, as before its first start. */
export function readHomeSecret(home: string): string | null {
  try {
    return readFileSync(join(home, 'secret'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
