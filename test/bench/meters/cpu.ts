/** What processes have used of the processors, from `/proc`: of any program, ours or a server. */
import { readFileSync } from 'node:fs';

/** Linux counts hundredths of a second. */
const TICK_MS = 10;

/** CPU time of all its threads since it began, in milliseconds; 0 where the system does not say. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name, in parentheses, may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
