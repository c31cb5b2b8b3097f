/** Identifies a process: a later process may have the same pid. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessMark {
  pid: number;
  /** Distinguishes this process from a later one with the same pid; empty where the system does not provide it. */
  process_start: string;
}

/** The mark of a living process, or null. A zombie counts as dead: it holds nothing any more. */
export function markProcess(pid: number): ProcessMark | null {
  if (pid <= 0) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to someone else.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return process.platform === 'linux' ? markFromProc(pid) : markFromPs(pid);
}

/** Whether the marked process runs; `unknown` where a process has its pid but may be another one. */
export function lifeOf(mark: ProcessMark): 'alive' | 'dead' | 'unknown' {
  const now = markProcess(mark.pid);
  if (!now) return 'dead';
  if (!mark.process_start || !now.process_start) return 'unknown';
  return now.process_start === mark.process_start ? 'alive' : 'dead';
}

/** Whether the marked process still runs; true where that is unknown. */
export const isAlive = (mark: ProcessMark): boolean => lifeOf(mark) !== 'dead';

/** Sends a signal; a process that is gone is no error. */
export function signal(mark: ProcessMark, name: NodeJS.Signals): void {
  if (!isAlive(mark)) return;
  try {
    process.kill(mark.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function markFromProc(pid: number): ProcessMark | null {
  try {
    // proc(5): the name in brackets may hold anything; then the state (3) … and the start time (22).
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { pid, process_start: `${boot}:${fields[19] ?? ''}` };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : { pid, process_start: '' };
  }
}

function markFromPs(pid: number): ProcessMark | null {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    const gap = line.indexOf(' ');
    return line.startsWith('Z') ? null : { pid, process_start: line.slice(gap + 1).trim() };
  } catch {
    return { pid, process_start: '' };
  }
}
