/** One run: opens a cluster, breaks it, mends it and lets it settle; then its evidence is judged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter } from '../../src/embedded/reporter.js';
import type { LayoutName } from './cluster/layouts.js';
import { campaignSpecs } from './load/campaigns.js';
import type { CampaignSpecs } from './load/campaignSpec.js';
import { breakAndMend } from './breakAndMend.js';
import { check } from './checker/check.js';
import type { Evidence, Instant, Violation } from './evidence/evidence.js';
import { saveEvidence } from './evidence/evidenceFile.js';
import type { FaultKind } from './faults/faultSchedule.js';
import { openAfterSale, type AfterSale } from './afterSale/afterSale.js';
import type { SettleTimeout, Unsettled } from './evidence/finalRecord.js';
import { openHistory } from './evidence/historyFile.js';
import { gatherSettled } from './evidence/gathering.js';
import { midnightOf, type Midnight } from './load/midnight.js';
import { openCluster } from './cluster/cluster.js';

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
  /** On a slow machine the faults begin again until the run has this; default: they do not. */
  until?: EnoughTested;
  /** With this many leads open no more are posted; default: more than are ever open, so that no planned lead is skipped. */
  maxOpen?: number;
  /** How long the service may take to settle after the last fault; by default longer than it ever needs. */
  settleTimeout?: SettleTimeout;
  /** After the faults `reconcile` is called now and then, in addition to its schedule. */
  hurries?: boolean;
  /** Keep the folder even when there is no violation. */
  keep?: boolean;
}

export interface EnoughTested {
  /** Leads; besides them each planned kill, and what the checker requires of any run. */
  acknowledged: number;
  /** They begin again no later than this after they first began, in milliseconds. */
  withinMs: number;
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
