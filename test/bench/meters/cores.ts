/** How the processors were shared within a window: the use of each group of processes, and the idle time. */
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { getOwn } from '../../../src/lib/getOwn.js';
import { SHARES, type Share } from '../report/cores.js';
import { cpuMs, idleMs } from './cpu.js';

/** Process ids by group. `other` and `idle` follow from the use of the whole machine. */
export type CpuGroups = Record<Exclude<Share, 'other' | 'idle'>, readonly number[]>;

/** Processors busy with each group, on average: 1 is one whole processor. */
export type Cores = Record<Share, number>;

interface Snapshot {
  at: number;
  /** Milliseconds of CPU so far. */
  groups: Record<string, number>;
  idleMs: number;
}

/** For a window that begins after the warm-up. Both in seconds, from now. */
export async function coresDuring(
  groups: CpuGroups,
  warmUp: number,
  seconds: number,
): Promise<Cores> {
  await delay(warmUp * 1_000);
  const before = snapshot(groups);
  await delay(seconds * 1_000);
  return coresBetween(before, snapshot(groups), cpus().length);
}

/** @param processors number of processors of the machine */
export function coresBetween(before: Snapshot, after: Snapshot, processors: number): Cores {
  const elapsed = after.at - before.at;
  const cores = (ms: number): number => Math.max(0, ms / elapsed);
  const used = Object.entries(after.groups).map(([group, ms]): [string, number] => [
    group,
    cores(ms - (getOwn(before.groups, group) ?? 0)),
  ]);
  const idle = cores(after.idleMs - before.idleMs);
  const known = used.reduce((sum, [, value]) => sum + value, idle);
  return {
    ...Object.fromEntries(used),
    idle,
    other: Math.max(0, processors - known),
  } as Cores;
}

export const coresLine = (cores: Cores): string =>
  `cores: ${SHARES.map((share) => `${share} ${cores[share].toFixed(2)}`).join(', ')}`;

const snapshot = (groups: CpuGroups): Snapshot => ({
  at: performance.now(),
  groups: Object.fromEntries(
    Object.entries(groups).map(([group, pids]) => [
      group,
      pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
    ]),
  ),
  idleMs: idleMs(),
});
