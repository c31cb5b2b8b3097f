/** The memory of processes over a run, sampled once a second. */
import { readFileSync } from 'node:fs';
import { getOwn } from '../../../src/lib/getOwn.js';
import { SERVICE_NAMES } from '../processNames.js';
import { sumByName } from './sumByName.js';

export interface MemorySample {
  /** Seconds since the first sample. */
  at: number;
  /** Leads answered by then. */
  leads: number;
  /** MiB by process name. */
  mib: Record<string, number>;
}

const POLL_INTERVAL_MS = 1_000;
const KIB_PER_MIB = 1_024;

/** Resident memory in MiB; 0 where the system does not report it. */
export function residentMib(pid: number): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
  } catch {
    return 0;
  }
}

/** @param leads returns how many leads were answered so far */
export function watchMemory(
  processes: readonly { name: string; pid: number }[],
  leads: () => number,
): { samples: readonly MemorySample[]; stop(): void } {
  const samples: MemorySample[] = [];
  const began = performance.now();
  const timer = setInterval(() => {
    const mib = sumByName(processes, ({ pid }) => residentMib(pid));
    samples.push({ at: (performance.now() - began) / 1_000, leads: leads(), mib });
  }, POLL_INTERVAL_MS);
  return { samples, stop: () => clearInterval(timer) };
}

/** The memory of all processes of the service together, in MiB, in any shape. */
export const ofService = ({ mib }: MemorySample): number =>
  SERVICE_NAMES.reduce((sum, name) => sum + (getOwn(mib, name) ?? 0), 0);

/**
 * The regression line through the service's memory while the last `leads` leads came.
 * @returns null for fewer than two samples
 */
export function overLast(
  leads: number,
  samples: readonly MemorySample[],
): { from: number; to: number; mibPerMinute: number } | null {
  const from = (samples.at(-1)?.leads ?? 0) - leads;
  const late = samples.filter((sample) => sample.leads >= from);
  const [first, last] = [late[0], late.at(-1)];
  if (!first || !last || first === last) return null;
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [meanAt, meanMib] = [mean(late.map(({ at }) => at)), mean(late.map(ofService))];
  const spread = late.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  const slope =
    late.reduce((sum, one) => sum + (one.at - meanAt) * (ofService(one) - meanMib), 0) / spread;
  const on = (at: number) => meanMib + slope * (at - meanAt);
  return { from: on(first.at), to: on(last.at), mibPerMinute: slope * 60 };
}
