/** The environment of a scenario: the real stack, its load and its evidence. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postedTo, type SeededCampaign } from '../load/account.js';
import { nothingAfter } from '../afterSale/evidence.js';
import type { CampaignSpecs } from '../load/campaignSpec.js';
import { accountOf } from '../checker/account.js';
import { check } from '../checker/check.js';
import type { Evidence, Fault, Violation } from '../evidence/evidence.js';
import { saveEvidence } from '../evidence/evidenceFile.js';
import { readRecord, waitUntilSettled, type Unsettled } from '../evidence/finalRecord.js';
import { openHistory, type History } from '../evidence/historyFile.js';
import {
  startSuppliers,
  type Suppliers,
  type SuppliersOptions,
} from '../load/suppliers/suppliers.js';
import { openCluster, type Cluster } from '../cluster/cluster.js';
import { pause, type Outcome, type ScenarioOptions } from './scenario.js';

export interface Judged {
  evidence: Evidence;
  unsettled: Unsettled;
  /** The checker's findings, by rule, as failures; empty when it found nothing. */
  failures: string[];
}

export interface Stage {
  cluster: Cluster;
  history: History;
  say: ScenarioOptions['say'];
  /** @throws {Error} when no campaign has that name */
  campaign(name: string): SeededCampaign;
  /** Leads per second, all campaigns together. */
  post(rate: number, options?: Partial<SuppliersOptions>): Suppliers;
  record(fault: Omit<Fault, 'kind'>): void;
  /** Waits until everything is decided or held, and runs the checker. */
  judge(): Promise<Judged>;
}

/** `reconcile` needs two rounds for some leftovers, after it has waited two minutes. */
const REST_WITHIN = { ms: 200_000 };
/** For lines of the buyers' journal that are not yet written. */
const JOURNAL_MS = 500;
const TOLD_IN_FULL = 3;
/** Empty counts as absent: the service's own defaults apply, not values drawn from a seed. */
const DEFAULTS = {
  INTAKE_GROUP_MAX: '',
  INTAKE_LANES: '',
  INTAKE_LINGER_MS: '',
  INTAKE_SOFT_LIMIT_MS: '',
};

/** Opens the environment, runs `play` on it and removes it; the folder stays when something failed. */
export async function onStage(
  options: ScenarioOptions,
  specs: CampaignSpecs,
  play: (stage: Stage) => Promise<Outcome>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-scenario-'));
  options.say(`seed ${options.seed}, folder ${folder}`);
  const history = await openHistory(join(folder, 'history.jsonl'));
  const cluster = await openCluster({ ...options, folder, specs, settings: DEFAULTS });
  try {
    const outcome = await play(stageIn(folder, cluster, history, options));
    await cluster.stop();
    await history.close();
    if (outcome.failures.length === 0) await rm(folder, { recursive: true, force: true });
    else options.say(`everything is kept in ${folder}`);
    return outcome;
  } finally {
    await cluster.stop();
  }
}

function stageIn(
  folder: string,
  cluster: Cluster,
  history: History,
  { seed, say }: ScenarioOptions,
): Stage {
  const campaigns = cluster.campaigns.map(({ facts }) => facts);
  return {
    cluster,
    history,
    say,
    campaign(name) {
      const found = cluster.campaigns.find(({ facts }) => facts.name === name);
      if (!found) throw new Error(`There is no campaign named ${name}`);
      return found;
    },
    post: (rate, options) =>
      startSuppliers({
        urls: cluster.urls,
        rate,
        seed,
        history,
        campaigns: postedTo(cluster.campaigns),
        // Suppliers that close their connections or send twice would blur the measurement.
        habits: { aborts: 0, twice: 0, alters: 0 },
        ...options,
      }),
    record: (fault) => history.append({ kind: 'fault', ...fault }),
    async judge() {
      say('waiting until everything is at rest');
      const { collections } = cluster.store;
      const unsettled = await waitUntilSettled(
        collections,
        campaigns,
        REST_WITHIN,
        () => undefined,
      );
      await pause(JOURNAL_MS);
      const record = await readRecord(collections, campaigns, cluster.reconciled);
      const journal = await cluster.buyers.journal();
      const after = nothingAfter();
      const evidence = { seed, campaigns, record, journal, after, history: [...history.events] };
      const violations = check(evidence);
      if (violations.length > 0) await keep(folder, evidence, violations, say);
      return { evidence, unsettled, failures: failuresOf(violations) };
    },
  };
}

async function keep(
  folder: string,
  evidence: Evidence,
  violations: readonly Violation[],
  say: ScenarioOptions['say'],
): Promise<void> {
  for (const violation of violations.slice(0, TOLD_IN_FULL)) {
    accountOf(evidence, violation).forEach(say);
  }
  // A long run may exceed the maximum size of one string; the history and the journal are on disk anyway.
  await saveEvidence(join(folder, 'evidence.json'), evidence).catch((error: unknown) =>
    say(`the evidence could not be saved: ${String(error)}`),
  );
}

function failuresOf(violations: readonly Violation[]): string[] {
  const counts = new Map<string, number>();
  for (const { total, rule } of violations) {
    const name = `${total}: ${rule}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `the checker found ${name} ${count} times`);
}
