/** The servers of a running stack, found by its home: for commands that work on them from another process. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readHolder, type Holder } from './fileLock.js';
import type { HomeLockData } from './homeLock.js';
import { isAlive } from './processes.js';

export interface RunningServers {
  /** Absent: it is another server than an embedded one, or is still starting. */
  mongodbUri?: string;
  temporalAddress?: string;
}

/**
 * Null when none runs: the home has no owner, or its owner is dead. An owner on another machine or in a container cannot be
 * checked; its addresses are those that it wrote.
 */
export function findRunning(home: string): RunningServers | null {
  const holder: (Holder & HomeLockData) | null = readHolder(join(home, 'lock.json'));
  if (holder === null || (holder.host === hostname() && !isAlive(holder))) return null;
  return { mongodbUri: holder.mongodb_uri, temporalAddress: holder.temporal_address };
}
