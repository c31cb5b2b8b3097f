/** One proof: visitors submit while roles of the service are killed; their views are then compared with the store. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_STATUSES } from '../../../src/leads/rules/leadStatus.js';
import { createRandom, type Random } from '../prng.js';
import { checkVisits, type FunnelEvidence, type FunnelViolation } from './check.js';
import { openCrowd, type Crowd } from './crowd.js';
import { LAYOUTS, type LayoutName, type ProcessName } from '../cluster/layouts.js';
import type { OpenServiceOptions } from '../cluster/openService.js';
import { victimOf } from '../faults/nemesis.js';
import { openSite, type FunnelSite } from './site.js';

export interface FunnelRunOptions extends Omit<OpenServiceOptions, 'folder'> {
  kills: number;
  /** Visitors at one time. */
  visitors: number;
  seed: string;
  /** Visits to complete at least, whatever the number of kills; default: the number of visitors at one time. */
  visits?: number;
  /** Keep the folder even when there is no violation. */
  keep?: boolean;
  say: (line: string) => void;
}

export interface FunnelRunResult {
  evidence: FunnelEvidence;
  violations: FunnelViolation[];
  /** By process. */
  kills: Record<string, number>;
  /** Null when the folder was deleted. */
  folder: string | null;
}

/** From the submit of a page to the kill, in milliseconds: before, while and after it is stored. */
const KILL_WITHIN_MS = 250;
/** The processes that visitors talk to are killed most often. */
const WEIGHTS = { serving: 6, deciding: 3, delivery: 1 };
const SUBMIT_WITHIN_MS = 20_000;
const READY_WITHIN_MS = 60_000;
/**
 * For the last visitors, after the last kill: a lead that a killed process stored and started nowhere is withdrawn by the
 * next run of `reconcile` that finds it 15 s old, so more than a minute later; until then its visitor is asked to wait.
 */
const PATIENCE_MS = 100_000;
const SETTLE_WITHIN_MS = 150_000;
const LOOK_MS = 500;

export async function runFunnelKills(options: FunnelRunOptions): Promise<FunnelRunResult> {
  const folder = await mkdtemp(join(tmpdir(), 'leadwire-funnels-'));
  options.say(`seed ${options.seed}, folder ${folder}`);
  const site = await openSite({ ...options, folder });
  try {
    const crowd = openCrowd({
      urls: site.urls,
      size: options.visitors,
      random: createRandom(options.seed, 'visitors'),
    });
    const kills = await killDuringSubmits(site, crowd, options);
    await everyoneServes(site);
    const wanted = options.visits ?? options.visitors;
    while (crowd.visits.length < wanted) await delay(LOOK_MS);
    await crowd.end(PATIENCE_MS);
    options.say(`${crowd.visits.length} visits ended; waiting for the last leads`);
    await settled(site);
    const evidence = await gather(site, crowd);
    const violations = checkVisits(evidence);
    const keeps = options.keep === true || violations.length > 0;
    if (keeps) await writeFile(join(folder, 'evidence.json'), JSON.stringify(evidence, null, 2));
    await site.stop();
    if (!keeps) await rm(folder, { recursive: true, force: true });
    return { evidence, violations, kills, folder: keeps ? folder : null };
  } finally {
    await site.stop();
  }
}

async function killDuringSubmits(
  site: FunnelSite,
  crowd: Crowd,
  { kills, seed, layout, say }: FunnelRunOptions,
): Promise<Record<string, number>> {
  const random: Random = createRandom(seed, 'kills');
  const choices = choicesIn(layout);
  const killed: Record<string, number> = {};
  for (let n = 1; n <= kills; n++) {
    const name = random.weighted(choices)(random);
    await everyoneServes(site);
    await crowd.nextSubmit(SUBMIT_WITHIN_MS);
    await delay(random.between(0, KILL_WITHIN_MS));
    if (victimOf({ victims: site.roles }, name).kill()) killed[name] = (killed[name] ?? 0) + 1;
    if (n % 10 === 0) say(`${n} killed, ${crowd.visits.length} visits ended`);
  }
  return killed;
}

type Choice = (random: Random) => ProcessName;

function choicesIn(layout: LayoutName): (readonly [Choice, weight: number])[] {
  const { serving, deciding } = LAYOUTS[layout];
  return [
    [(random) => random.pick(serving), WEIGHTS.serving],
    [(random) => random.pick(deciding), WEIGHTS.deciding],
    [() => 'delivery', WEIGHTS.delivery],
  ];
}

/** On a slow machine the kills come later, or the service would never be whole and have nothing to lose. */
const everyoneServes = ({ roles }: FunnelSite): Promise<unknown> =>
  Promise.race([
    Promise.all(Object.values(roles).map((role) => role.ready())),
    delay(READY_WITHIN_MS, undefined, { ref: false }),
  ]);

/** Waits until each lead is decided; a lead undecided after that time is a violation. */
async function settled(site: FunnelSite): Promise<void> {
  const until = performance.now() + SETTLE_WITHIN_MS;
  const open = { status: { $in: [...OPEN_STATUSES] } };
  while (performance.now() < until && (await site.collections.leads.countDocuments(open)) > 0) {
    await site.repair().catch(() => undefined);
    await delay(LOOK_MS);
  }
}

async function gather({ collections, buyer }: FunnelSite, crowd: Crowd): Promise<FunnelEvidence> {
  const [leads, consents] = await Promise.all([
    collections.leads.find().toArray(),
    collections.consents.find().toArray(),
  ]);
  return {
    visits: crowd.visits,
    leads: leads.map((lead) => ({
      id: lead._id,
      email: String(lead.fields.email),
      status: lead.status,
      consentId: lead.origin?.consent_id ?? null,
      createdAt: lead.created_at,
    })),
    consents: consents.map(({ _id, answers, text, at, lead_id }) => ({
      id: _id,
      email: String(answers.email),
      text,
      at,
      leadId: lead_id ?? null,
    })),
    bought: buyer.accepted(),
  };
}
