/** A run of the benchmark, from starting the servers to stopping them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/app/config.js';
import { pickDefined } from '../../src/lib/defined.js';
import { prepareHome } from '../../src/embedded/home.js';
import { startStack, type Stack } from '../../src/embedded/stack.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';
import { auditRun } from './audit/audit.js';
import { startBench } from './bench.js';
import { hashesPerSecond } from './meters/hashes.js';
import { figuresOf, type Figure } from './report/figures.js';
import { readMachine, readVersions } from './machine.js';
import type { BenchRunOptions } from './options.js';
import type { Say } from './part.js';
import { partsOf, type Part } from './parts.js';
import type { RunResult } from './report/result.js';
import { SERVICE_NAMES } from './processNames.js';
import { writeFlames } from './report/writeFlames.js';
import { metricsUrlIn } from './meters/temporalCalls.js';

const HASHES_NOTE = 'SHA-256 of 1 KiB on one processor, before and after the parts';
/** Time for starting and auditing, seconds. */
const AROUND_SECONDS = 25;

export async function runBench(options: BenchRunOptions, say: Say): Promise<RunResult> {
  const parts = partsOf(options.only, options.quick);
  planOf(parts, options).forEach(say);
  const home = await mkdtemp(join(tmpdir(), 'leadwire-bench-'));
  try {
    const stack = await startStack({
      home,
      cacheDir: readConfig(process.env).cacheDir,
      reporter: createTerminalReporter(),
      temporalNamespace: 'default',
      ports: 'any',
    });
    try {
      return await measure(stack, home, { ...options, parts }, say);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function measure(
  stack: Stack,
  home: string,
  {
    parts,
    shape,
    flames,
    service: main,
  }: Omit<BenchRunOptions, 'only'> & { parts: readonly Part[] },
  say: Say,
): Promise<RunResult> {
  const temporalMetricsUrl = metricsUrlIn(prepareHome(home).logs.temporal);
  const profiles = flames === undefined ? undefined : join(home, 'profiles');
  const bench = await startBench(stack, {
    temporalMetricsUrl,
    ...pickDefined(shape, ['roles']),
    main,
    ...(profiles === undefined ? {} : { profiles }),
  });
  try {
    const figures: Figure[] = [];
    const taken_at = new Date().toISOString();
    const hashes = [hashesPerSecond()];
    for (const { name, what, measure: work } of parts) {
      const from = performance.now();
      say(`\n${name}: ${what}`);
      figures.push(...(await work(bench, shape, say)));
      say(`  (${name} took ${Math.round((performance.now() - from) / 1_000)} s)`);
    }
    hashes.push(hashesPerSecond());
    figures.push(...figuresOf('machine_hashes_per_s', hashes, HASHES_NOTE));
    return {
      machine: readMachine(),
      versions: await readVersions(stack),
      taken_at,
      shape,
      figures,
      audit: await auditRun(bench),
      ...(Object.keys(bench.details).length === 0 ? {} : { details: bench.details }),
    };
  } finally {
    await bench.stop();
    if (profiles !== undefined && flames !== undefined) {
      const services = bench.processes.filter(({ name }) => isService(name));
      const files = await writeFlames(profiles, services, flames);
      say(`\nflame graphs: ${files.join(', ') || 'none'}`);
    }
  }
}

const isService = (name: string): boolean => SERVICE_NAMES.some((one) => one === name);

function planOf(parts: readonly Part[], { shape }: BenchRunOptions): string[] {
  const rows = parts.map((part) => ({ ...part, seconds: part.takes(shape) }));
  const total = AROUND_SECONDS + rows.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `Windows of ${shape.seconds} s, ${shape.rounds} of each; about ${Math.ceil(total / 60)} minutes:`,
    ...rows.map(
      ({ name, what, seconds }) => `  ${name.padEnd(14)}${what}, ${Math.round(seconds)} s`,
    ),
  ];
}
