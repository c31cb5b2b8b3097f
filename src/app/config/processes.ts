/** How many processes `leadwire up` accepts and decides leads with. */
import { availableParallelism } from 'node:os';
import { z } from 'zod';

/** More are the operator's choice: each process needs memory of its own, and they share the embedded servers. */
const DEFAULT_MAX = 4;

/** The processors that this process may use. */
export const PROCESSORS = availableParallelism();

/**
 * Half of the processors, 1 to 4: MongoDB, Temporal and the delivery process need the others. On two, a second process
 * would compete with them.
 */
export const defaultProcesses = (processors: number): number =>
  Math.max(1, Math.min(Math.floor(processors / 2), DEFAULT_MAX));

/** A process uses one processor: of more processes than processors some would have nothing to run on. */
export function processesRule(processors: number) {
  const error = `must be a whole number from 1 to ${processors}, the processors of this machine`;
  return z.coerce.number({ error }).int({ error }).min(1, { error }).max(processors, { error });
}
