/** CPU and memory use of processes, from Linux; other systems report nothing. */
import { readFile } from 'node:fs/promises';
import type { Cluster } from '../cluster/cluster.js';

export interface Use {
  pid: number;
  /** CPU time of all its threads since its start, in milliseconds. */
  cpuMs: number;
  rssBytes: number;
}

/** Use by process name at one moment; a process that is not running is left out. */
export interface Sample {
  /** Milliseconds since 1970. */
  at: number;
  uses: Record<string, Use>;
}

/** `/proc` counts in hundredths of a second and in pages of 4 KB, on every machine that this runs on. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

/** From a line of `/proc/<pid>/stat`: its second field is a name that may contain anything. */
export function readStat(pid: number, line: string): Use {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid,
    cpuMs: (field(14) + field(15)) * TICK_MS,
    rssBytes: field(24) * PAGE_BYTES,
  };
}

export async function sampleOf({ victims }: Pick<Cluster, 'victims'>): Promise<Sample> {
  const at = Date.now();
  const uses: Record<string, Use> = {};
  for (const [name, victim] of Object.entries(victims)) {
    const pid = victim.pid();
    const line =
      pid === null ? null : await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (pid !== null && line !== null) uses[name] = readStat(pid, line);
  }
  return { at, uses };
}

/** Percent of one core that each process used between two moments; for one started in between, all of its use. */
export function cpuBetween(from: Sample, to: Sample): Record<string, number> {
  const ms = Math.max(1, to.at - from.at);
  return Object.fromEntries(
    Object.entries(to.uses).map(([name, use]) => {
      const before = from.uses[name];
      const spent = before?.pid === use.pid ? use.cpuMs - before.cpuMs : use.cpuMs;
      return [name, (100 * spent) / ms];
    }),
  );
}

export const sum = (values: Iterable<number>): number => [...values].reduce((a, b) => a + b, 0);
