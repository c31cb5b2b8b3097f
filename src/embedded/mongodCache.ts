/** How much the embedded MongoDB keeps in memory. */
import { totalmem } from 'node:os';

const GIB = 2 ** 30;
/** The smallest cache that mongod accepts. */
const CACHE_MIN_GIB = 0.25;
const CACHE_MAX_GIB = 4;
/** The machine is shared with Temporal and the service: by itself mongod would take half of it. */
const SHARE = 1 / 4;

/**
 * The size of mongod's cache in GiB, 0.25 to 4: a quarter of the memory. Beyond a twentieth of the cache mongod writes
 * changed pages at once, each of them again and again, instead of once a minute: a small cache costs CPU for each write.
 */
export function cacheGib(memoryBytes: number): number {
  const share = Math.floor(((memoryBytes * SHARE) / GIB) * 100) / 100;
  return Math.min(CACHE_MAX_GIB, Math.max(CACHE_MIN_GIB, share));
}

/**
 * What this process and those beside it may use, in bytes: of the machine, or of the container when that is less.
 * @param total of the machine
 * @param constrained of the container; 0, or more than there is, where nothing constrains it
 */
export const memoryBytes = (
  total: number = totalmem(),
  constrained: number = process.constrainedMemory(),
): number => (constrained > 0 ? Math.min(total, constrained) : total);
