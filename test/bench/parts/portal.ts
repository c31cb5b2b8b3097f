/**
 * The portals of partners with many leads stored: the latency of each page's data, and the cost for intake of people
 * who click. Windows with and without them alternate, so that both see the same minutes of the machine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { auditLines, auditRun } from '../audit/audit.js';
import { startBench, type Bench } from '../bench.js';
import { openIntake, orError, type IntakeLoad } from '../load/intakeLoad.js';
import { latencyOf, type Latency } from '../load/latency.js';
import { closedLoop, type Sample } from '../load/load.js';
import { openPartners, type PartnerBrowser } from '../load/partners.js';
import { keepSeeded } from '../load/seedAttempts.js';
import { seedLeads } from '../load/seedLeads.js';
import { arrive, isError } from '../load/stage.js';
import type { Measure, Say, Shape } from '../part.js';
import { figuresOf, medianOf, type Figure } from '../report/figures.js';

/** Leads to store in a whole run. */
export const PORTAL_LEADS = 1_000_000;
const PEOPLE = 50;
/** Between two clicks of a person, milliseconds: the time to read a page. */
const READING_MS = 3_000;
const PER_SECOND = 100;
const WARM_UP_SECONDS = 2;
/** MongoDB is still busy for this long after many leads were stored. */
const SETTLING_SECONDS = 12;
/** Refusals that are printed one by one. */
const SHOWN = 10;
/** How often each page is opened while the service is otherwise idle. */
const OPENED = 30;

export const portal: Measure = async (bench, shape, say) => {
  const own = await startBench(bench.stack, { name: 'bench_portal', roles: bench.roles });
  try {
    const figures = await measure(own, bench.details, shape, say);
    const audit = await auditRun(own);
    auditLines(audit).forEach(say);
    if (!audit.passed) bench.failures.push(`Portal: ${auditLines(audit).join(' ')}`);
    return figures;
  } finally {
    await own.stop();
  }
};

async function measure(
  bench: Bench,
  details: Bench['details'],
  shape: Shape,
  say: Say,
): Promise<Figure[]> {
  const load = await openIntake(bench);
  await arrive({ ...load, say, warmUp: 0 }, PER_SECOND, 2);
  await seed(bench, load, (shape.leads ?? PORTAL_LEADS) - load.sent(), say);
  const partners = await openPartners(bench, load.account, PEOPLE);
  try {
    await arrive({ ...load, say, warmUp: 0 }, PER_SECOND, SETTLING_SECONDS);
    await bench.quiet();
    const pages = await openEachPage(partners, say);
    const { alone, beside, clicks, errors } = await alternate(bench, load, partners, shape, say);
    const leads = shape.leads ?? PORTAL_LEADS;
    details.portal = { leads, pages, alone, beside, clicks };
    const slowest = Object.entries(pages).toSorted(([, a], [, b]) => b.p95 - a.p95)[0];
    const p99s = (rows: readonly Latency[]) => rows.map(({ p99 }) => p99);
    const told = `${PEOPLE} people, a page every ${READING_MS / 1_000} s each`;
    return [
      ...figuresOf(
        'portal_page_p95_ms',
        slowest ? [slowest[1].p95] : [],
        `${slowest?.[0] ?? ''}; ${leads} leads stored`,
      ),
      ...figuresOf(
        'portal_clicks_p95_ms',
        clicks.map(({ p95 }) => p95),
        told,
      ),
      ...figuresOf('portal_alone_p99_ms', p99s(alone), `${PER_SECOND} leads a second alone`),
      ...figuresOf('portal_beside_p99_ms', p99s(beside), told),
      ...figuresOf(
        'portal_p99_ratio',
        [medianOf(p99s(beside)).value / medianOf(p99s(alone)).value],
        'of the medians',
      ),
      ...figuresOf('portal_errors', [errors], 'of all windows together'),
    ];
  } finally {
    await partners.close();
  }
}

async function seed(bench: Bench, load: IntakeLoad, count: number, say: Say): Promise<void> {
  await bench.quiet();
  const from = performance.now();
  await seedLeads(bench, [...load.last.values()], Math.max(0, count));
  await keepSeeded(bench);
  await bench.checkpoint();
  say(`  ${count} leads stored in ${Math.round((performance.now() - from) / 1_000)} s`);
}

/** One page after the other, by one person. */
async function openEachPage(partners: PartnerBrowser, say: Say): Promise<Record<string, Latency>> {
  const found: Record<string, Latency> = {};
  for (const page of partners.pages) {
    const samples: Sample[] = [];
    for (let n = 0; n < OPENED; n++) {
      const from = performance.now();
      const kind = await orError(() => partners.open(page, n));
      if (isError({ kind })) throw new Error(`The page "${page}" was answered with ${kind}`);
      samples.push({ ms: performance.now() - from, kind });
    }
    const row = latencyOf(samples);
    found[page] = row;
    say(`  ${page.padEnd(20)} p50 ${row.p50} ms, p95 ${row.p95} ms, max ${row.max} ms`);
  }
  return found;
}

/** Windows of intake alone and with people who click, in turn; the order changes with the round. */
async function alternate(
  bench: Bench,
  load: IntakeLoad,
  partners: PartnerBrowser,
  { seconds, rounds }: Shape,
  say: Say,
): Promise<{ alone: Latency[]; beside: Latency[]; clicks: Latency[]; errors: number }> {
  const stage = { ...load, say, warmUp: WARM_UP_SECONDS };
  const alone: Latency[] = [];
  const beside: Latency[] = [];
  const clicks: Latency[] = [];
  let errors = 0;
  // A p99 of few requests is unreliable: windows are twice as long, with one more of each.
  const length = seconds * 2;
  const withPeople = async () => {
    say('  beside people who click:');
    const clicking = click(partners, length + WARM_UP_SECONDS);
    const intake = await arrive(stage, PER_SECOND, length);
    beside.push(intake);
    errors += intake.errors;
    const samples = await clicking;
    const row = latencyOf(samples);
    clicks.push(row);
    const failed = samples
      .filter(isError)
      .map(({ ms, kind }) => `${kind} after ${Math.round(ms)} ms`);
    say(`    ${samples.length} pages opened, p95 ${row.p95} ms, errors ${failed.length}`);
    if (failed.length > 0)
      bench.failures.push(
        `Portal: ${failed.length} pages were not answered with 200: ${failed.slice(0, SHOWN).join(', ')}.`,
      );
  };
  const withoutPeople = async () => {
    say('  leads alone:');
    const row = await arrive(stage, PER_SECOND, length);
    alone.push(row);
    errors += row.errors;
  };
  for (let round = 0; round < rounds + 1; round++)
    for (const window of round % 2 === 0
      ? [withoutPeople, withPeople]
      : [withPeople, withoutPeople]) {
      await window();
      await bench.quiet();
    }
  return { alone, beside, clicks, errors };
}

/** Each person opens one page after another, and reads each. */
async function click(partners: PartnerBrowser, seconds: number): Promise<Sample[]> {
  const { pages } = partners;
  const samples: Sample[] = [];
  let clicked = 0;
  const clickOnce = (n: number) => orError(() => partners.open(pages[n % pages.length] ?? '', n));
  await closedLoop(PEOPLE, seconds, 0, async () => {
    // They do not all begin reading at the same moment.
    await delay(READING_MS * (0.5 + Math.random()));
    const from = performance.now();
    const kind = await clickOnce(clicked++);
    samples.push({ ms: performance.now() - from, kind });
    return kind;
  });
  return samples;
}
