/** One run: opens a cluster, breaks it, mends it and lets it settle; then its evidence is judged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter } from '../../src/embedded/reporter.js';
import type { LayoutName } from './cluster/layouts.js';
import { postedTo } from './load/account.js';
import { campaignSpecs } from './load/campaigns.js';
import type { CampaignSpec, CampaignSpecs } from './load/campaignSpec.js';
import { check } from './checker/check.js';
import type { Evidence, Instant, Violation } from './evidence/evidence.js';
import { saveEvidence } from './evidence/evidenceFile.js';
import { scheduleFaults, type FaultKind } from './faults/faultSchedule.js';
import { openAfterSale, type AfterSale } from './afterSale/afterSale.js';
import { startOutcomeReporter } from './afterSale/outcomeReporter.js';
import type { SettleTimeout, Unsettled } from './evidence/finalRecord.js';
import { openHistory, type History } from './evidence/historyFile.js';
import { watchLag } from './faults/lag.js';
import { unleash } from './faults/nemesis.js';
import { gatherSettled } from './evidence/gathering.js';
import { BUSY_AFTER_MS, midnightOf, untilPosting, type Midnight } from './load/midnight.js';
import { startSuppliers } from './load/suppliers/suppliers.js';
import { openCluster, type Cluster } from './cluster/cluster.js';

export interface RunOptions {
  seed: string;
  /** How the roles are spread over processes. */
  layout: LayoutName;
  kills: number;
  /** How long faults go on. */
  seconds: number;
  /** Leads posted per second. */
  rate: number;
  cacheDir: string;
  reporter: Reporter;
  /** Receives a progress line now and then. */
  say: (line: string) => void;
  /** Name of a mutant. */
  planted?: string;
  /** Default: all kinds of faults. */
  kinds?: readonly FaultKind[];
  /** By name; default: all campaigns. */
  campaigns?: readonly string[];
  /** How long the service may take to settle after the last fault; by default longer than it ever needs. */
  settleTimeout?: SettleTimeout;
  /** After the faults `reconcile` is called now and then, in addition to its schedule. */
  hurries?: boolean;
  /** Keep the folder even when there is no violation. */
  keep?: boolean;
}

export interface RunResult {
  layout: LayoutName;
  evidence: Evidence;
  violations: Violation[];
  kills: number;
  /** What was not settled when the settle timeout was over; otherwise all 0 except `held`. */
  unsettled: Unsettled;
  /** How often each process was started, and how often it ended without being killed. */
  processes: Record<string, { starts: number; failed: number }>;
  /** Seconds from the first post to the last. */
  postedFor: number;
  /** The folder with everything that the run wrote; null when it was deleted. */
  folder: string | null;
}

/** Before the first fault, so that there are leads to count before and after the faults. */
const WARM_UP_MS = 2_000;
/** How long a supplier keeps sending a lead, in milliseconds: a little over twice the longest Retry-After. */
const GIVE_UP_AFTER_MS = 40_000;
/**
 * At higher rates suppliers give up sooner, but not before this: on a small machine thousands of leads that
 * are sent again and again would take all of the time, and no lead would be sold that could be sold twice.
 */
const GIVE_UP_MIN_MS = 8_000;
const POSTED_MAX = 1_000;
/** Longer than suppliers keep a lead open, with its last sending, so that no planned lead is skipped; in seconds. */
const OPEN_MAX_SECONDS = 60;
const OPEN_MIN = 100;
/** Maximum pause of a supplier that is refused again and again, in milliseconds. */
const PAUSE_MAX_MS = 12_000;
const TELL_MS = 10_000;

export async function runChaos(options: RunOptions): Promise<RunResult> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-chaos-'));
  options.say(`seed ${options.seed}, folder ${folder}`);
  const history = await openHistory(join(folder, 'history.jsonl'));
  const { rate, seconds } = options;
  const load = { leads: rate * seconds, perSecond: rate };
  const specs = chosen(options, campaignSpecs(load, Date.now()));
  const midnight = (now: Instant): Midnight => midnightOf(options, now);
  const cluster = await openCluster({
    ...options,
    folder,
    specs,
    midnight,
    planted: options.planted === undefined ? [] : [options.planted],
  });
  let after: AfterSale | undefined;
  try {
    after = await openAfterSale(cluster, { ...options, folder });
    const { kills, postedFor } = await breakAndMend(cluster, after, history, options);
    const { evidence, unsettled } = await gatherSettled(cluster, after, history, options);
    const processes = Object.fromEntries(
      Object.entries(cluster.victims).map(([name, victim]) => [name, victim.counts()]),
    );
    const violations = check(evidence);
    const keeps = options.keep === true || violations.length > 0;
    if (keeps) await saveEvidence(join(folder, 'evidence.jsonl'), evidence);
    await after.stop();
    await cluster.stop();
    await history.close();
    if (!keeps) await rm(folder, { recursive: true, force: true });
    return {
      layout: options.layout,
      evidence,
      violations,
      kills,
      unsettled,
      processes,
      postedFor,
      folder: keeps ? folder : null,
    };
  } finally {
    await after?.stop();
    await cluster.stop();
  }
}

function chosen({ campaigns }: RunOptions, specs: CampaignSpecs): CampaignSpecs {
  if (!campaigns) return specs;
  const unknown = campaigns.find((name) => !(name in specs));
  if (unknown !== undefined) {
    const names = Object.keys(specs).join(', ');
    throw new Error(`There is no campaign named "${unknown}"; there are ${names}.`);
  }
  return Object.fromEntries(Object.entries(specs).filter(([name]) => campaigns.includes(name)));
}

async function breakAndMend(
  cluster: Cluster,
  after: AfterSale,
  history: History,
  { seed, kills, seconds, rate, kinds, say }: RunOptions,
): Promise<{ kills: number; postedFor: number }> {
  const { midnight, layout, urls } = cluster;
  if (midnight) {
    await untilPosting(midnight);
    say(`${midnight.turn} begins in ${Math.round((midnight.at - Date.now()) / 1_000)} s`);
  }
  const began = performance.now();
  const suppliers = startSuppliers({
    urls,
    campaigns: postedTo(cluster.campaigns),
    rate,
    seed,
    history,
    giveUpAfterMs: Math.max(
      GIVE_UP_MIN_MS,
      Math.min(GIVE_UP_AFTER_MS, (1_000 * POSTED_MAX) / rate),
    ),
    longestPauseMs: PAUSE_MAX_MS,
    maxOpen: Math.max(OPEN_MIN, rate * OPEN_MAX_SECONDS),
  });
  const outcomeReporter = startOutcomeReporter({ seed, urls, history, secretOf: after.secretOf });
  const endLag = watchLag((fault) => history.append(fault));
  const told = setInterval(() => say(progress(began, nemesis?.kills() ?? 0, history)), TELL_MS);
  let nemesis: ReturnType<typeof unleash> | undefined;
  try {
    await pause(WARM_UP_MS);
    const parking = namesIn(cluster, ({ parking: parks }) => parks);
    const busyAtFirst = midnight && {
      buyers: namesIn(cluster, ({ waitsForMidnight }) => waitsForMidnight),
      forMs: Math.max(0, midnight.at + BUSY_AFTER_MS - Date.now()),
    };
    const plan = scheduleFaults({
      seed,
      layout,
      kills,
      seconds,
      kinds,
      parking,
      changing: namesIn(cluster, ({ changesMode }) => changesMode),
      busyAtFirst,
      buyers: cluster.buyerNames,
    });
    const over = pause(seconds * 1_000);
    nemesis = unleash(plan, cluster, (fault) => history.append(fault));
    await Promise.all([nemesis.done, over]);
    say('the faults are over');
    await Promise.all([cluster.calm(), after.calm()]);
    await suppliers.stop();
    await outcomeReporter.stop();
    return { kills: nemesis.kills(), postedFor: (performance.now() - began) / 1_000 };
  } finally {
    clearInterval(told);
    endLag();
  }
}

/** Names of the buyers of such campaigns. */
const namesIn = (
  { campaigns }: Cluster,
  is: (spec: CampaignSpec) => boolean | undefined,
): string[] =>
  campaigns
    .filter(({ spec }) => is(spec) === true)
    .flatMap(({ facts }) => facts.buyers.map(({ name }) => name));

function progress(began: number, kills: number, { events }: History): string {
  let open = 0;
  let taken = 0;
  for (const event of events) {
    if (event.kind === 'invoked') open += 1;
    if (event.kind === 'completed') open -= 1;
    if (event.kind === 'completed' && event.outcome === 'ok') taken += 1;
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  return `${seconds} s: ${kills} killed, ${taken} acknowledged, ${open} open`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
