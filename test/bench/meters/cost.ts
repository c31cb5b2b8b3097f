/** The cost of load: CPU of each process and commands to MongoDB, less the idle use of service and servers. */
import { setTimeout as delay } from 'node:timers/promises';
import { getOwn } from '../../../src/lib/getOwn.js';
import type { Bench, BenchProcess } from '../bench.js';
import { readCommands, totalOf } from './commands.js';
import { cpuMs } from './cpu.js';
import { sumByName } from './sumByName.js';
import { readTemporalCalls } from './temporalCalls.js';
import { waitFor } from '../../support/waitFor.js';

type Name = BenchProcess['name'];

type Measured = 'cpu' | 'commands' | 'calls';

interface Snapshot {
  at: number;
  cpu: Record<string, number>;
  commands: Record<string, number>;
  calls: Record<string, number>;
}

export interface Cost {
  /** Milliseconds of CPU for each. */
  cpuMs: Partial<Record<Name, number>>;
  /** Commands for each, by the process that sent them. */
  commands: Partial<Record<Name, number>>;
  /** Calls that Temporal answered for each, including polls; absent where it does not count them. */
  temporalCalls?: number;
}

export interface Meter {
  /**
   * The cost of `work`, including what the reports and Temporal do because of it until all is done.
   * @param work returns how many things it did
   */
  measure(work: () => Promise<number>): Promise<Cost>;
}

/** These do nothing by themselves: all of their use is due to the load. */
const WITHOUT_REST: readonly string[] = ['buyers', 'load'] satisfies Name[];
const IDLE_MS = 5_000;
const COUNTED_WITHIN_MS = 60_000;
const POLL_INTERVAL_MS = 200;

export async function startMeter({
  processes,
  collections,
  temporalMetricsUrl,
}: Bench): Promise<Meter> {
  const snapshot = async (): Promise<Snapshot> => {
    const told = processes.filter(({ healthUrl }) => healthUrl !== '');
    const sent = await Promise.all(
      told.map(async ({ name, healthUrl }) => ({
        name,
        count: totalOf(await readCommands([healthUrl])),
      })),
    );
    return {
      at: performance.now(),
      cpu: sumByName(processes, ({ pid }) => cpuMs(pid)),
      commands: sumByName(sent, ({ count }) => count),
      calls: temporalMetricsUrl ? { temporal: await readTemporalCalls(temporalMetricsUrl) } : {},
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
    const options = { timeoutMs: COUNTED_WITHIN_MS, intervalMs: POLL_INTERVAL_MS };
    await waitFor(isCounted, options).catch(() => undefined);
  };
  const since = (a: Snapshot, b: Snapshot, part: Measured): Record<string, number> =>
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
      const each = (part: Measured): Record<string, number> => {
        const [used, atRest] = [since(before, after, part), since(rest, rested, part)];
        return Object.fromEntries(
          Object.entries(used).map(([name, value]) => {
            const resting = WITHOUT_REST.includes(name) ? 0 : idle * (getOwn(atRest, name) ?? 0);
            const net = (value - resting) / Math.max(done, 1);
            return [name, Math.max(0, Math.round(net * 1_000) / 1_000)];
          }),
        );
      };
      const { temporal: temporalCalls } = each('calls');
      return {
        cpuMs: each('cpu'),
        commands: each('commands'),
        ...(temporalCalls === undefined ? {} : { temporalCalls }),
      };
    },
  };
}

export const told = ({ cpuMs: cpu, commands, temporalCalls }: Cost): string =>
  `CPU ms each: ${listed(cpu)}; MongoDB commands each: ${listed(commands)}` +
  (temporalCalls === undefined ? '' : `; Temporal calls each: ${temporalCalls.toFixed(3)}`);

const listed = (values: Partial<Record<Name, number>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join(', ');
