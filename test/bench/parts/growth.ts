/**
 * Whether intake and reports slow down as leads accumulate: measured with none, with 100,000 and with a million
 * stored leads, by a service and in a database of their own.
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
/** Each stage of the warm-up. */
const ROW_SECONDS = 4;
/**
 * The effects of storing hundreds of thousands of leads within minutes pass in this time; those of having them stored
 * stay. The empty service runs as long before it is measured.
 */
const SETTLING_SECONDS = 24;
const READINGS = 7;
const DAY_MS = 86_400_000;
/** The range of the reports: a month back from today. */
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
    // Ratios of medians: single windows at different times are not comparable.
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
 * Measures after a warm-up: a service idle for minutes is slow at first, like a new one. The rates of the warm-up
 * are printed too.
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

/** Stores `count` more leads, and lets MongoDB write them to disk, so that this does not disturb the measurement. */
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
