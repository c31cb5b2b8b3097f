/**
 * Proof that the checker can fail: each mutant runs in the scenario that shows it, until one of the
 * rules that must find it does, or its time is over.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postedTo } from '../load/account.js';
import { nothingAfter } from '../afterSale/evidence.js';
import { campaignSpecs } from '../load/campaigns.js';
import type { CampaignSpec, CampaignSpecs } from '../load/campaignSpec.js';
import { accountOf } from '../checker/account.js';
import { check } from '../checker/check.js';
import type {
  Aim,
  Evidence,
  Fault,
  HistoryEvent,
  Instant,
  Violation,
} from '../evidence/evidence.js';
import type { ScheduledFault } from '../faults/faultSchedule.js';
import { readRecord, waitUntilSettled, type SettleTimeout } from '../evidence/finalRecord.js';
import { openHistory, type History } from '../evidence/historyFile.js';
import { watchLag } from '../faults/lag.js';
import { midnightOf, untilPosting, type Midnight } from '../load/midnight.js';
import { unleash } from '../faults/nemesis.js';
import { mutants } from './index.js';
import type { Mutant, Scenario } from './mutant.js';
import type { RunOptions } from '../run.js';
import { startSuppliers } from '../load/suppliers/suppliers.js';
import { openCluster, type Cluster } from '../cluster/cluster.js';
import { LAYOUTS, type LayoutName } from '../cluster/layouts.js';

export interface MutantOptions extends Pick<RunOptions, 'cacheDir' | 'reporter' | 'say'> {
  layout: LayoutName;
  /** Default: all. */
  names?: readonly string[];
  /** Runs the scenarios without their bugs, to show that the scenarios alone cause no violation. */
  harmless?: boolean;
}

interface Catch {
  violation: Violation;
  /** Seconds since the first lead was posted. */
  after: number;
}

const SECONDS = 90;
/** Load and faults of a scenario without its bug, where the scenario has no end of its own. */
const CONTROL_SECONDS = 30;
/** Afterwards the service settles, and every rule judges all of its evidence. */
const SETTLE_TIMEOUT: SettleTimeout = { ms: 200_000, leavesReservations: true };
const POLL_INTERVAL_MS = 2_000;
/** After the load has ended, the time until anything still open counts, in milliseconds. */
const SETTLE_MS = 20_000;
/** A midnight comes as soon as in a run of this length, in seconds. */
const SOON_S = 20;
/** Where a scenario has caps, all of them are reached within this time, in seconds. */
const CAPS_FULL_S = 120;

/** Runs mutants, prints a table, and returns the exit code: 0 only if every result is as expected. */
export async function runMutants(
  options: MutantOptions,
  tell: (line: string) => void,
): Promise<number> {
  const { names = Object.keys(mutants), harmless = false, say } = options;
  const rows: string[][] = [['planted bug', 'caught by', 'after']];
  let wrong = 0;
  for (const name of names) {
    const mutant = mutants[name];
    if (!mutant) throw new Error(`There is no planted bug named ${name}.`);
    say(harmless ? `the scenario of ${name}, without the bug` : `planting ${name}`);
    const found = await hunt(name, mutant, options);
    if ((found === null) !== harmless) wrong += 1;
    const after = Math.round(found?.after ?? SECONDS);
    rows.push([name, found?.violation.rule ?? 'nobody', `${after} s`]);
    say(rows.at(-1)?.join(', ') ?? '');
  }
  table(rows).forEach(tell);
  return wrong === 0 ? 0 : 1;
}

function table(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Runs one bug in its scenario; null when no rule found it in time. */
async function hunt(
  name: string,
  { needs, caughtBy }: Mutant,
  { cacheDir, reporter, say, harmless = false, ...options }: MutantOptions,
): Promise<Catch | null> {
  const { rate, faults, loadFor, turn, layout = options.layout } = needs;
  const seed = harmless ? `${name}, harmless` : name;
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-planted-'));
  const history = await openHistory(join(folder, 'history.jsonl'));
  const specs = specsFor(needs);
  const cluster = await openCluster({
    seed,
    layout,
    folder,
    cacheDir,
    reporter,
    specs,
    ...(turn && { midnight: (now: Instant) => midnightOf({ seed, seconds: SOON_S, turn }, now) }),
    planted: harmless ? [] : [name],
  });
  let isOver = false;
  const record = (event: HistoryEvent): void => {
    if (!isOver) history.append(event);
  };
  if (cluster.midnight) await untilPosting(cluster.midnight);
  const suppliers = startSuppliers({
    urls: cluster.urls,
    rate,
    seed,
    history: { append: record },
    campaigns: postedTo(cluster.campaigns),
    ...needs.suppliers,
  });
  const endLag = watchLag(record);
  const hunting = { cluster, history, seed, say, rules: caughtBy, began: performance.now() };
  try {
    const lasts = harmless ? (loadFor ?? CONTROL_SECONDS) : loadFor;
    const midnightAt = untilMidnight(cluster.midnight);
    const { deciding } = LAYOUTS[layout];
    const seconds = lasts ?? SECONDS;
    const plan = faults({ seconds, buyers: cluster.buyerNames, midnightAt, deciding });
    const harassed = harass(plan, cluster, record, () => isOver);
    harassed.catch((error: unknown) => say(`the faults ended early: ${String(error)}`));
    if (lasts !== undefined) {
      await delay(lasts * 1_000);
      await suppliers.stop();
      await harassed;
      await cluster.calm();
      if (!harmless) await delay(SETTLE_MS);
    }
    const found = harmless
      ? await judgeAtRest(hunting, { rate, seconds, kills: 0, whole: false })
      : await watch(hunting);
    found?.account.forEach((line) => say(line));
    return found;
  } finally {
    isOver = true;
    endLag();
    void suppliers.stop();
    await cluster.stop();
    await history.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const untilMidnight = (midnight: Midnight | undefined): number =>
  midnight ? Math.max(0, midnight.at - Date.now()) : 0;

/** The campaigns of the scenario, with limits that are reached in time although they get all leads. */
function specsFor({ campaigns, rate }: Scenario): CampaignSpecs {
  const of = (perSecond: number): [string, CampaignSpec][] =>
    Object.entries(campaignSpecs({ leads: perSecond * CAPS_FULL_S, perSecond }, Date.now())).filter(
      ([name]) => campaigns.includes(name),
    );
  const share = of(0).reduce((sum, [, { weight }]) => sum + weight, 0) / 100;
  return Object.fromEntries(of(rate / share));
}

const SLICE_MS = 5_000;

/** Carries out a schedule in parts, so that it ends soon after the hunt does. */
async function harass(
  plan: readonly ScheduledFault[],
  cluster: Cluster,
  record: (fault: Fault) => void,
  isOver: () => boolean,
): Promise<void> {
  const last = Math.max(0, ...plan.map(({ at }) => at));
  const under: Promise<void>[] = [];
  for (let from = 0; from <= last && !isOver(); from += SLICE_MS) {
    const slice = plan
      .filter(({ at }) => at >= from && at < from + SLICE_MS)
      .map((fault) => ({ ...fault, at: fault.at - from }));
    const { done } = unleash(slice, cluster, record);
    // It may fail while the next parts run; all of them are awaited in the end.
    done.catch(() => undefined);
    under.push(done);
    await delay(SLICE_MS);
  }
  await Promise.all(under);
}

/** No violation is allowed, of any rule. */
async function judgeAtRest(
  hunting: Hunting,
  aim: Aim,
): Promise<(Catch & { account: string[] }) | null> {
  const { cluster, began, say } = hunting;
  const facts = cluster.campaigns.map((campaign) => campaign.facts);
  await waitUntilSettled(cluster.store.collections, facts, SETTLE_TIMEOUT, () => undefined);
  const ends = Object.values(cluster.victims).flatMap((victim) => victim.ends());
  const evidence: Evidence = { ...(await look(hunting)), aim, ends };
  const violations = check(evidence);
  const after = (performance.now() - began) / 1_000;
  say(`${Math.round(after)} s: ${sight(evidence, violations)}`);
  const [violation] = violations;
  return violation ? { violation, after, account: accountOf(evidence, violation) } : null;
}

interface Hunting {
  cluster: Cluster;
  history: History;
  seed: string;
  rules: readonly string[];
  say: (line: string) => void;
  /** On the monotonic clock. */
  began: number;
}

/** Checks again and again. The record is read while it changes, so only a violation seen twice counts. */
async function watch(hunting: Hunting): Promise<(Catch & { account: string[] }) | null> {
  const { rules, began } = hunting;
  const seen = new Map<string, number>();
  for (;;) {
    const after = (performance.now() - began) / 1_000;
    const evidence = await look(hunting).catch(() => null);
    const violations = evidence ? check(evidence) : [];
    hunting.say(`${Math.round(after)} s: ${evidence ? sight(evidence, violations) : 'no record'}`);
    const found = violations.filter(({ rule }) => rules.includes(rule));
    for (const violation of found) {
      const id = `${violation.rule} ${violation.lead_id ?? ''}`;
      const first = seen.get(id);
      if (first !== undefined && evidence) {
        return { violation, after: first, account: accountOf(evidence, violation) };
      }
      seen.set(id, after);
    }
    if (after > SECONDS) return null;
    await delay(POLL_INTERVAL_MS);
  }
}

function sight({ history, record }: Evidence, violations: readonly Violation[]): string {
  const faults = history.filter(({ kind }) => kind === 'fault').length;
  const names = [...Map.groupBy(violations, ({ rule }) => rule)].map(
    ([rule, own]) => `${rule} ${own.length}`,
  );
  return `${record.leads.length} leads, ${faults} faults, ${names.join(', ') || 'nothing wrong'}`;
}

/** Reads the record last: it then contains everything that the others mention. */
async function look({ cluster, history, seed }: Hunting): Promise<Evidence> {
  const told = [...history.events];
  const journal = await cluster.buyers.journal();
  const campaigns = cluster.campaigns.map(({ facts }) => facts);
  const record = await readRecord(cluster.store.collections, campaigns, cluster.reconciled);
  return { seed, campaigns, journal, record, history: told, after: nothingAfter() };
}
