/**
 * The console of an organization with many leads stored: the latency and the cost of each screen's data, and what
 * operators at work cost intake.
 */
import { auditLines, auditRun } from '../audit/audit.js';
import { noting } from '../audit/answers.js';
import { startBench, type Bench } from '../bench.js';
import { kindOf, orError } from '../load/intakeLoad.js';
import { arrive, senderOf, type Sender } from '../load/stage.js';
import type { Measure, Say, Shape } from '../part.js';
import { figuresOf, medianOf, type Figure } from '../report/figures.js';
import { supplierOf } from '../../support/supplier.js';
import { createScreensAccount, TAKEN_STATES, type ScreensAccount } from '../screens/account.js';
import { besideOperators, PEOPLE, READING_MS } from '../screens/besideOperators.js';
import { fillAccount } from '../screens/fill.js';
import { LIMIT_MS, openScreens } from '../screens/openScreens.js';
import { openOperators } from '../screens/operators.js';
import { screensOf } from '../screens/pages.js';
import { findShown } from '../screens/shown.js';

/** Leads to store in a whole run. */
export const SCREENS_LEADS = 1_000_000;
const CONNECTIONS = 256;
/** MongoDB is still busy for this long after a million leads were stored. */
const SETTLING_SECONDS = 12;
const settlingSeconds = (leads: number): number =>
  Math.ceil(SETTLING_SECONDS * Math.min(1, leads / SCREENS_LEADS));
const PER_SECOND = 100;

export const screens: Measure = async (bench, shape, say) => {
  const own = await startBench(bench.stack, { name: 'bench_screens', roles: bench.roles });
  try {
    const figures = await measure(own, bench.details, shape, say);
    const audit = await auditRun(own);
    auditLines(audit).forEach(say);
    if (!audit.passed) bench.failures.push(`Screens: ${auditLines(audit).join(' ')}`);
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
  const leads = shape.leads ?? SCREENS_LEADS;
  const account = await createScreensAccount(bench);
  await fillAccount(bench, account, leads, say);
  const operators = await openOperators(bench, account.orgId, PEOPLE);
  const intake = openCampaign(bench, account);
  try {
    await arrive({ ...intake, say, warmUp: 0 }, PER_SECOND, settlingSeconds(leads));
    await bench.quiet();
    const pages = screensOf(await findShown(bench, account, operators));
    const rows = await openScreens(bench, operators, pages, say);
    const scene = { bench, load: intake, operators, screens: pages, say };
    const found = await besideOperators(scene, shape);
    details.screens = { leads, rows, ...found };
    const { commands, cpuMs } = found.perScreen;
    say(`  a screen beside intake: ${commands} commands, ${cpuMs} ms of CPU`);
    say(`  the feeds told ${found.followed} leads`);
    const slowest = rows.toSorted((a, b) => b.p95 - a.p95)[0];
    const p99s = (windows: readonly { p99: number }[]) => windows.map(({ p99 }) => p99);
    const told = `${PEOPLE} operators, a screen every ${READING_MS / 1_000} s each`;
    const ratio = medianOf(p99s(found.beside)).value / medianOf(p99s(found.alone)).value;
    const over = rows.filter(({ p95 }) => p95 > LIMIT_MS).map(({ name }) => name);
    return [
      ...figuresOf(
        'screens_p95_ms',
        slowest ? [slowest.p95] : [],
        `${slowest?.name ?? ''}; ${leads} leads stored`,
      ),
      ...figuresOf(
        'screens_over_300_ms',
        [over.length],
        `of ${rows.length}: ${over.join(', ') || 'none'}`,
      ),
      ...figuresOf(
        'screens_opened_p95_ms',
        found.screens.map(({ p95 }) => p95),
        told,
      ),
      ...figuresOf('screens_alone_p99_ms', p99s(found.alone), `${PER_SECOND} leads a second alone`),
      ...figuresOf('screens_beside_p99_ms', p99s(found.beside), told),
      ...figuresOf('screens_p99_ratio', [ratio], 'of the medians'),
      ...figuresOf(
        'screens_cpu_ms_per_screen',
        [cpuMs],
        'of the service and MongoDB, beside intake',
      ),
      ...figuresOf('screens_commands_per_screen', [commands], 'beside intake'),
      ...figuresOf('screens_errors', [found.errors], 'of all windows together'),
    ];
  } finally {
    await intake.close();
    await operators.close();
  }
}

/** Leads of the second campaign, which has no limits and a usual number of buyers. */
function openCampaign(
  { apiUrl, answers, refusals }: Bench,
  { orgId, campaigns }: ScreensAccount,
): Sender & { close(): Promise<void> } {
  const account = campaigns[1] ?? campaigns[0];
  if (!account) throw new Error('There is no campaign');
  const supplier = noting(supplierOf(apiUrl, account, CONNECTIONS), { answers, refusals, orgId });
  const sender = senderOf(async (n) => {
    const state = TAKEN_STATES[n % TAKEN_STATES.length];
    const from = n % account.suppliers.length;
    const answer = await orError(() => supplier.post({ state }, { supplier: from }));
    return typeof answer === 'string' ? answer : kindOf(answer);
  });
  return { ...sender, close: () => supplier.close() };
}
