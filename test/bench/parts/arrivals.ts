/** Latency at a steady rate, however long answers take; and in the largest burst that a supplier may send. */
import { figuresOf, type Figure, type FigureName } from '../report/figures.js';
import { openIntake } from '../load/intakeLoad.js';
import type { Latency } from '../load/latency.js';
import type { Measure } from '../part.js';
import { beside, EMPTY_WORKFLOW } from '../reference/references.js';
import { arrive, warmProcess, type Row } from '../load/stage.js';

const RATES = [50, 100, 200, 400] as const;
const EMPTY_PER_SECOND = 50;
/** The contract's limit for a supplier: 200 per second for 10 s. */
const BURST = { perSecond: 200, seconds: 10 };
const WARM_UP_SECONDS = 1;

export const arrivals: Measure = (bench, { seconds, rounds }, say) =>
  beside(bench, [EMPTY_WORKFLOW], async ([empty]) => {
    const load = await openIntake(bench);
    const stage = { ...load, say, groups: () => bench.groups(), warmUp: WARM_UP_SECONDS };
    const latencies: Record<string, Latency[] | undefined> = {};
    const burst: Row[] = [];
    let [errors, pending] = [0, 0];
    say('  warming up');
    for (const sender of [load, ...(empty ? [empty] : [])]) await warmProcess(sender, say);
    await bench.quiet();
    for (let round = 0; round < rounds; round++) {
      say(`  round ${round + 1} of ${rounds}; empty workflows:`);
      if (empty) {
        const row = await arrive(
          { ...empty, say, warmUp: WARM_UP_SECONDS },
          EMPTY_PER_SECOND,
          seconds,
        );
        (latencies.empty_50 ??= []).push(row);
        errors += row.errors;
      }
      say('  leads:');
      for (const rate of RATES) {
        const row = await arrive(stage, rate, seconds);
        (latencies[`open_${rate}`] ??= []).push(row);
        errors += row.errors;
        pending += row.pending;
        await bench.quiet();
      }
      say('  the burst of the contract:');
      burst.push(await arrive({ ...stage, warmUp: 0 }, BURST.perSecond, BURST.seconds));
      await bench.quiet();
    }
    const sum = (key: 'errors' | 'pending') => burst.reduce((total, row) => total + row[key], 0);
    return [
      ...Object.entries(latencies).flatMap(([name, rows = []]) => percentilesOf(name, rows)),
      ...figuresOf('open_errors', [errors], `of all rates and rounds together; pending ${pending}`),
      ...figuresOf(
        'burst_200_errors',
        [sum('errors')],
        `of all rounds together; pending ${sum('pending')}`,
      ),
      ...figuresOf(
        'burst_200_p99_ms',
        burst.map(({ p99 }) => p99),
      ),
    ];
  });

const percentilesOf = (name: string, rows: readonly Latency[]): Figure[] =>
  (['p50', 'p95', 'p99', 'max'] as const).flatMap((which) =>
    figuresOf(
      `${name}_${which}_ms` as FigureName,
      rows.map((row) => row[which]),
    ),
  );
