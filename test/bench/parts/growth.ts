/**
 * Whether intake and reports slow down with what is stored: measured with nothing, with 100,000 and with a million
 * leads, by a service and in a database of their own.
 */
import { systemClock } from '../../../src/lib/clock.js';
import { readReport } from '../../../src/reports/report.js';
import { auditLines, auditRun } from '../audit/audit.js';
import { startBench, type Bench } from '../bench.js';
import { figuresOf, medianOf, type Figure } from '../report/figures.js';
import { openIntake, type IntakeLoad } from '../load/intakeLoad.js';
import { OPEN, type Measure, type Say, type Shape } from '../part.js';
import { seedLeads } from '../load/seedLeads.js';
import { saturate } from '../load/stage.js';

/** Leads stored at each further step. */
const STEPS = [100_000, 1_000_000] as const;
const WARM_UP_SECONDS = 2;
/** Each row of the seconds that do not count. */
const ROW_SECONDS = 4;
/**
 * So long after hundreds of thousands of leads were stored within minutes what passes is that, not that they are stored.
 * The empty service runs as long before it is measured.
 */
const SETTLING_SECONDS = 24;
const READINGS = 7;
const DAY_MS = 86_400_000;
/** A month back from today, by which reports are asked for. */
const MONTH_DAYS = 30;

export const growth: Measure = async (bench, shape, say) => {
  const own = await startBench(bench.stack, { name: 'bench_growth', roles: bench.roles });
  try {
    const figures = await measure(own, shape, say);
    const audit = await auditRun(own);
    auditLines(audit).forEach(say);
    if (!audit.passed) bench.failures.push(`Growth: ${auditLines(audit).join(' ')}`);
    return figures;
  } finally {
    await own.stop();
  }
};

async function measure(bench: Bench, shape: Shape, say: Say): Promise<Figure[]> {
  const load = await openIntake(bench);
  const empty = await intakeOf(load, shape, say);
  const ratios = new Map<number, number[]>();
  let seeded = 0;
  for (const leads of STEPS) {
    const missing = leads - seeded - load.sent();
    await seed(bench, load, missing, say);
    seeded += missing;
    const rates = await intakeOf(load, shape, say);
    // Of medians: single windows at other times say little about each other.
    ratios.set(leads, [medianOf(rates).value / medianOf(empty).value]);
  }
  const [few, many] = STEPS;
  const told = `${Math.round(medianOf(empty).value)} leads a second with none stored`;
  return [
    ...figuresOf('intake_100k_ratio', ratios.get(few) ?? [], told),
    ...figuresOf('intake_1m_ratio', ratios.get(many) ?? [], told),
    ...figuresOf(
      'report_1m_ms',
      await reportTimes(bench, load, say),
      'a month by day and by buyer',
    ),
  ];
}

/**
 * After some seconds that do not count: a service that has rested for minutes is slow at first, as a new one is. What
 * they were is told with the others.
 */
async function intakeOf(load: IntakeLoad, { seconds, rounds }: Shape, say: Say): Promise<number[]> {
  for (let left = SETTLING_SECONDS; left > 0; left -= ROW_SECONDS)
    await saturate({ ...load, say, warmUp: 0 }, OPEN, ROW_SECONDS);
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++)
    rates.push(
      (await saturate({ ...load, say, warmUp: WARM_UP_SECONDS }, OPEN, seconds)).perSecond,
    );
  return rates;
}

/** Stores so many more, and lets MongoDB write them to disk: that is no part of what is measured afterwards. */
async function seed(bench: Bench, load: IntakeLoad, count: number, say: Say): Promise<void> {
  await bench.quiet();
  const from = performance.now();
  await seedLeads(bench, [...load.last.values()], count);
  await bench.checkpoint();
  say(`  ${count} leads stored in ${Math.round((performance.now() - from) / 1_000)} s`);
}

async function reportTimes(bench: Bench, { account }: IntakeLoad, say: Say): Promise<number[]> {
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const scope = { orgId: account.orgId, from: day(MONTH_DAYS), to: day(0) };
  const times: number[] = [];
  await bench.quiet();
  for (let n = 0; n < READINGS; n++)
    for (const by of ['day', 'buyer'] as const) {
      const from = performance.now();
      await readReport({ ...bench, clock: systemClock }, scope, by);
      times.push(performance.now() - from);
    }
  say(`  reports of a month: ${times.map((ms) => Math.round(ms)).join(', ')} ms`);
  return times;
}
