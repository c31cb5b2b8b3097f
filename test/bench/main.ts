/**
 * `npm run bench`: the service as separate processes on a stack of its own, against an empty workflow per
 * request on the same server in the same run. Rounds of both alternate, and medians are stated.
 *   npm run bench -- [--seconds 8] [--rounds 3] [--open 256] [--only A,B] [--quick] [--json FILE]
 * where A, B are throughput and head-of-line (these two by default), sick-buyer, round-trips, reports, pings, outcomes.
 * Outcomes come for 30 s, with --quick for 5 s.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createTerminalReporter } from '../../src/stack/terminalReporter.js';
import { startStack } from '../../src/stack/stack.js';
import { readConfig } from '../../src/config.js';
import { startBench } from './bench.js';
import { headOfLine } from './headOfLine.js';
import { outcomes } from './outcomes.js';
import { pings } from './pings.js';
import { reports } from './reports.js';
import { roundTrips } from './roundTrips.js';
import { sickBuyer } from './sickBuyer.js';
import { throughput } from './throughput.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    open: { type: 'string', default: '256' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const shape = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

const home = await mkdtemp(join(tmpdir(), 'leadwire-bench-'));
const stack = await startStack({
  home,
  cacheDir: readConfig(process.env).cacheDir,
  reporter: createTerminalReporter(),
  temporalNamespace: 'default',
  ports: 'any',
});
try {
  const bench = await startBench(stack);
  try {
    say(`${cpus().length} cores, Node ${process.version}; everything on this machine`);
    const runs = values.only?.split(',') ?? ['throughput', 'head-of-line'];
    const report = {
      ...(runs.includes('throughput')
        ? { throughput: await throughput(bench, { ...shape, open: Number(values.open) }, say) }
        : {}),
      ...(runs.includes('head-of-line') ? { headOfLine: await headOfLine(bench, shape, say) } : {}),
      ...(runs.includes('sick-buyer') ? { sickBuyer: await sickBuyer(bench, shape, say) } : {}),
      ...(runs.includes('round-trips')
        ? { roundTrips: await roundTrips(bench, Number(values.open), say) }
        : {}),
      ...(runs.includes('pings') ? { pings: await pings(bench, shape.seconds, say) } : {}),
      ...(runs.includes('outcomes')
        ? { outcomes: await outcomes(bench, values.quick ? 5 : 30, say) }
        : {}),
      ...(runs.includes('reports') ? { reports: await reports(bench, say) } : {}),
    };
    if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await bench.stop();
  }
} finally {
  await stack.stop();
  await rm(home, { recursive: true, force: true });
}
