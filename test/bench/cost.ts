/** What load costs: CPU of each process and commands to MongoDB, less what the processes use when nothing comes in. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench, BenchProcess } from './bench.js';
import { readCommands, totalOf } from './commands.js';
import { cpuMs } from './cpu.js';

type Name = BenchProcess['name'];

interface Snapshot {
  at: number;
  cpu: Record<string, number>;
  commands: Record<string, number>;
}

export interface Cost {
  /** Milliseconds of CPU for each. */
  cpuMs: Partial<Record<Name, number>>;
  /** Commands for each, by who sent them. */
  commands: Partial<Record<Name, number>>;
}

export interface Meter {
  /**
   * What `work` costs, and what the reports and Temporal do because of it until all is done.
   * @param work gives how many things it did
   */
  measure(work: () => Promise<number>): Promise<Cost>;
}

const IDLE_MS = 5_000;
const COUNTED_WITHIN_MS = 60_000;
const LOOK_MS = 200;

export async function startMeter({ processes, collections }: Bench): Promise<Meter> {
  const snapshot = async (): Promise<Snapshot> => {
    const told = processes.filter(({ healthUrl }) => healthUrl !== '');
    const commands = await Promise.all(
      told.map(async ({ name, healthUrl }) => [name, totalOf(await readCommands([healthUrl]))]),
    );
    return {
      at: performance.now(),
      cpu: Object.fromEntries(processes.map(({ name, pid }) => [name, cpuMs(pid)])),
      commands: Object.fromEntries(commands) as Record<string, number>,
    };
  };
  const isCounted = async (): Promise<boolean> => {
    const uncounted = { uncounted: true as const };
    const [ping, lead] = await Promise.all([
      collections.pings.findOne(uncounted, { projection: { _id: 1 } }),
      collections.leads.findOne(uncounted, { projection: { _id: 1 } }),
    ]);
    return !ping && !lead;
  };
  /** Until every ping and every lead is in the reports. */
  const counted = async (): Promise<void> => {
    const until = performance.now() + COUNTED_WITHIN_MS;
    while (!(await isCounted()) && performance.now() < until) await delay(LOOK_MS);
  };
  const since = (a: Snapshot, b: Snapshot, part: 'cpu' | 'commands'): Record<string, number> =>
    Object.fromEntries(
      Object.entries(b[part]).map(([name, value]) => [name, value - (a[part][name] ?? 0)]),
    );
  const rest = await snapshot();
  await delay(IDLE_MS);
  const rested = await snapshot();
  return {
    async measure(work) {
      const before = await snapshot();
      const done = await work();
      await counted();
      const after = await snapshot();
      const idle = (after.at - before.at) / (rested.at - rest.at);
      const each = (part: 'cpu' | 'commands'): Record<string, number> => {
        const [used, atRest] = [since(before, after, part), since(rest, rested, part)];
        return Object.fromEntries(
          Object.entries(used).map(([name, value]) => {
            const net = (value - idle * (atRest[name] ?? 0)) / Math.max(done, 1);
            return [name, Math.max(0, Math.round(net * 1_000) / 1_000)];
          }),
        );
      };
      return { cpuMs: each('cpu'), commands: each('commands') };
    },
  };
}

export const told = ({ cpuMs: cpu, commands }: Cost): string =>
  `CPU ms each: ${listed(cpu)}; MongoDB commands each: ${listed(commands)}`;

const listed = (values: Partial<Record<Name, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join(', ');
