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

/** Idle time of all processors together since the machine started, waiting for a disk included, in milliseconds. */
export function idleMs(): number {
  try {
    return idleIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return 0;
  }
}

/** @param stat the text of `/proc/stat` */
export function idleIn(stat: string): number {
  const [, , , , idle, waiting] = (/^cpu .*$/m.exec(stat)?.[0] ?? '').split(/\s+/);
  return (Number(idle ?? 0) + Number(waiting ?? 0)) * TICK_MS;
}
