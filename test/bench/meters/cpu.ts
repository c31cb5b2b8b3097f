/** CPU use of processes, from `/proc`: of any program, the service or a server. */
import { readFileSync } from 'node:fs';

/** Linux counts hundredths of a second. */
const TICK_MS = 10;

/** CPU time of all its threads since its start, in milliseconds; 0 where the system has none. */
export function cpuMs(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    // The name, in parentheses, may contain blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}

/** Idle time of all processors since the machine started, including waiting for a disk, in milliseconds. */
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
