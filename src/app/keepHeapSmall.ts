/** Limits how much garbage a process holds between two collections. */
import { setFlagsFromString } from 'node:v8';

/** In percent of the memory in use after a collection of the old generation: the next comes after this growth. */
const GROWTH_PERCENT = 40;

/**
 * Half of a thread's new generation, in MiB. Only workflows run in a thread, and what one of them leaves is small: 16
 * held 21 MiB more for as much work.
 */
const THREAD_SEMI_SPACE_MIB = 4;

/**
 * The flag that every Node of the service starts with: half of the main thread's new generation is 32 MiB. With 16 it
 * held 29 MiB less after a hundred thousand leads and took an eighth more CPU for each; by itself V8 takes 64, and two
 * processes held 210 MiB more than with 16 (docs/performance.md). It is fixed before the first line runs, so it stands
 * in the scripts, the image and the command.
 */
export const NODE_FLAG = '--max-semi-space-size=32';

/**
 * On a machine with room V8 lets the old generation grow to four times the memory in use before it collects it: api and
 * worker held 736 MiB together after a hundred thousand leads, and 512 with a bound, for hardly any CPU
 * (docs/performance.md). Call it before anything starts: the bound holds for the threads of the process too,
 * and the size of the new generation for them alone, because that of the main thread is fixed by then.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--max-semi-space-size=${THREAD_SEMI_SPACE_MIB}`);
}
