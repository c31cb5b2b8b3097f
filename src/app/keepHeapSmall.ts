/** How much memory a process holds between two collections of what it no longer needs. */
import { setFlagsFromString } from 'node:v8';

/** Of what is in use after a collection of the old generation: the next comes when so much of it has been added. */
const GROWTH_PERCENT = 40;

/**
 * Half of a thread's new generation, in MiB. Only workflows run in a thread, and what one of them leaves is small: 16
 * held 21 MiB more for as much work.
 */
const THREAD_SEMI_SPACE_MIB = 4;

/**
 * What Node is started with wherever the service is: half of the main thread's new generation is 16 MiB, as it was by
 * default up to Node 22. By itself V8 now takes 64, and api and worker held 706 MiB instead of 496 after a hundred
 * thousand leads. It is settled before the first line runs, so it stands in the scripts, the image and the command.
 */
export const NODE_FLAG = '--max-semi-space-size=16';

/**
 * On a machine with room V8 lets the old generation grow to four times of what is in use before it collects it: api and
 * worker held 736 MiB together after a hundred thousand leads, and 512 with a bound, for hardly any CPU
 * (docs/performance.md). To be called before anything is started: the bound holds for the threads of the process too,
 * and the size of the new generation for them alone, because that of the main thread is settled by then.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(`--max-semi-space-size=${THREAD_SEMI_SPACE_MIB}`);
}
