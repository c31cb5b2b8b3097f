/** Each screen opened by itself, many times: how long its data takes, and what it costs. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.js';
import { latencyOf, type Latency } from '../load/latency.js';
import type { Sample } from '../load/load.js';
import { isError } from '../load/stage.js';
import { totalOf } from '../meters/commands.js';
import { cpuMs } from '../meters/cpu.js';
import type { Say } from '../part.js';
import type { Operators } from './operators.js';
import type { Screen } from './pages.js';

/** How often each screen is opened. */
const OPENED = 30;
/** Openings that do not count: what is read for the first time comes from disk. */
const FIRST = 2;
/** How long the service's own commands are counted, to be left out. */
const REST_SECONDS = 3;
export const LIMIT_MS = 300;

export interface ScreenRow extends Latency {
  name: string;
  calls: number;
  /** MongoDB commands of one opening, less those of the service at rest. */
  commands: number;
  /** Milliseconds of CPU of the service and MongoDB for one opening. */
  cpuMs: number;
}

export interface Spent {
  at: number;
  commands: number;
  cpuMs: number;
}

/** What the service and MongoDB have used so far. */
export async function readSpent(bench: Bench): Promise<Spent> {
  const served = bench.processes.filter(
    ({ name, healthUrl }) => name === 'mongod' || healthUrl !== '',
  );
  return {
    at: performance.now(),
    commands: totalOf(await bench.commands()),
    cpuMs: served.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
  };
}

/** One screen after the other, the people in turn: each may make only so many calls a minute. */
export async function openScreens(
  bench: Bench,
  operators: Operators,
  screens: readonly Screen[],
  say: Say,
): Promise<ScreenRow[]> {
  const rest = await readSpent(bench);
  await delay(REST_SECONDS * 1_000);
  const rested = await readSpent(bench);
  const restPerMs = (part: 'commands' | 'cpuMs'): number =>
    (rested[part] - rest[part]) / (rested.at - rest.at);
  const rows: ScreenRow[] = [];
  say(`  ${'screen'.padEnd(40)}calls   p50   p95   max ms  commands  CPU ms`);
  for (const screen of screens) {
    for (let n = 0; n < FIRST; n += 1) await opened(operators, screen, n);
    const before = await readSpent(bench);
    const samples: Sample[] = [];
    for (let n = 0; n < OPENED; n += 1) {
      const from = performance.now();
      const kind = await opened(operators, screen, n);
      samples.push({ ms: performance.now() - from, kind });
    }
    const after = await readSpent(bench);
    const each = (part: 'commands' | 'cpuMs'): number => {
      const used = after[part] - before[part] - restPerMs(part) * (after.at - before.at);
      return Math.max(0, Math.round((used / OPENED) * 10) / 10);
    };
    const row = {
      name: screen.name,
      calls: screen.calls.length,
      ...latencyOf(samples),
      commands: each('commands'),
      cpuMs: each('cpuMs'),
    };
    rows.push(row);
    say(`  ${lineOf(row)}`);
  }
  return rows;
}

async function opened(operators: Operators, screen: Screen, n: number): Promise<string> {
  const kind = await operators.open(screen, n);
  if (isError({ kind })) throw new Error(`The screen "${screen.name}" was answered with ${kind}`);
  return kind;
}

const lineOf = ({ name, calls, p50, p95, max, commands, cpuMs: cpu }: ScreenRow): string =>
  name.padEnd(40) +
  [calls, p50, p95, max].map((value) => String(value).padStart(6)).join('') +
  `${String(commands).padStart(10)}${String(cpu).padStart(9)}` +
  (p95 > LIMIT_MS ? '  OVER 300 ms' : '');
