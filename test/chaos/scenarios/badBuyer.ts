/** One buyer fails, and another buyer must not be affected. */
import { CONCURRENT_MAX } from '../load/account.js';
import { buyerName, type CampaignSpecs } from '../load/campaignSpec.js';
import type { Evidence } from '../evidence/evidence.js';
import type { Cluster } from '../cluster/cluster.js';
import {
  arrivalsAt,
  drainedOf,
  fatesOf,
  mostOpen,
  takenPerSecond,
  type Fates,
} from './arrivals.js';
import { median, waitsOf, windowsOf, type Span } from './latency.js';
import { cpuBetween, sampleOf, sum } from './meter.js';
import { comesTrue, paceOf, pause, RATE, type Outcome, type ScenarioOptions } from './scenario.js';
import { onStage, type Stage } from './stage.js';
import { cell, type Table } from './table.js';

export interface Trouble {
  name: string;
  seconds: number;
  /** Puts the ailing buyer into this trouble. The previous trouble is over when this resolves. */
  begin: (cluster: Cluster, buyer: string) => Promise<void>;
}

export interface BadBuyer {
  /** One after another; then the buyer recovers. */
  troubles: readonly Trouble[];
  recover: (cluster: Cluster, buyer: string) => Promise<void>;
  /** What else must hold for the ailing buyer's leads. */
  judge: (fates: Fates) => string[];
}

const AILING = 'ailing';
const SOUND = 'sound';
const WARM_UP_S = 20;
const BEFORE_S = 40;
const WINDOW_MS = 10_000;
/** Minimum time of measuring after the recovery, so that there are windows to compare. */
const DRAIN_MIN_SECONDS = 40;
/** A buyer that was down for minutes is tried at most five minutes later; then its queue is sent. */
const DRAIN_WITHIN_MS = 600_000;
const POLL_INTERVAL_MS = 1_000;
const GIVE_UP_AFTER_MS = 60_000;
/** Maximum growth of the other buyer's p99. */
const RATIO_MAX = 1.5;

/** Neither buyer honors keys, so that a lead may be sent again only after a definitive refusal; neither rejects. */
const one = { price: 10, honours: false, on_unknown: 'hold' as const, rejects: 0 };
const SPECS: CampaignSpecs = Object.fromEntries(
  [AILING, SOUND].map((name) => [
    name,
    { weight: 1, dedupe_fields: ['email'], buyers: { only: one }, suppliers: [{ cost: 4 }] },
  ]),
);

interface Phase extends Span {
  name: string;
  cpu: Record<string, number>;
}

export function playBadBuyer(bad: BadBuyer, options: ScenarioOptions): Promise<Outcome> {
  return onStage(options, SPECS, (stage) => play(bad, stage, options));
}

async function play(bad: BadBuyer, stage: Stage, options: ScenarioOptions): Promise<Outcome> {
  const known = WARM_UP_S + BEFORE_S + bad.troubles.reduce((all, { seconds }) => all + seconds, 0);
  const pace = paceOf(options, known);
  const rate = options.rate ?? RATE;
  const { cluster } = stage;
  const name = buyerName(AILING, 'only');
  const buyerId = stage.campaign(AILING).facts.buyers[0]?.buyer_id ?? '';
  const parked = (): Promise<number> =>
    cluster.store.collections.deliveries.countDocuments({ buyer_id: buyerId, state: 'parked' });
  const phases: Phase[] = [];
  const during = async (phase: string, act: () => Promise<unknown>): Promise<void> => {
    options.say(phase);
    const before = await sampleOf(cluster);
    await act();
    const after = await sampleOf(cluster);
    const cpu = cpuBetween(before, after);
    phases.push({ name: phase, from: before.at, to: after.at, cpu });
  };
  const seconds = (count: number) => pause(count * pace * 1_000);

  const suppliers = stage.post(2 * rate, { giveUpAfterMs: GIVE_UP_AFTER_MS });
  await seconds(WARM_UP_S);
  await during('before', () => seconds(BEFORE_S));
  for (const trouble of bad.troubles) {
    const at = Date.now();
    await trouble.begin(cluster, name);
    await during(trouble.name, () => seconds(trouble.seconds));
    const fault = { type: 'buyer', targets: [name], detail: trouble.name };
    stage.record({ ...fault, at, ended: Date.now() });
  }
  const backlog = await parked();
  const well = Date.now();
  await bad.recover(cluster, name);
  let drained: number | null = null;
  await during('drain', async () => {
    const isDrained = await comesTrue(async () => (await parked()) === 0, {
      timeoutMs: DRAIN_WITHIN_MS,
      intervalMs: POLL_INTERVAL_MS,
    });
    if (isDrained) drained = Date.now();
    await pause(well + DRAIN_MIN_SECONDS * pace * 1_000 - Date.now());
  });
  await suppliers.stop();
  const { evidence, failures } = await stage.judge();
  const skipped = suppliers.counts().skipped;
  const isolation = isolationOf(evidence, phases, stage, Math.max(1_000, WINDOW_MS * pace));
  const lane = { well, drained: drained as number | null, backlog };
  const queue = queueOf(evidence, stage, lane);
  return {
    tables: [isolation.table, cpuTable(phases), queue.table],
    failures: [
      ...isolation.failures,
      ...queue.failures,
      ...bad.judge(queue.fates),
      ...(skipped === 0 ? [] : [`${skipped} leads were not posted, as too many were under way`]),
      ...failures,
    ],
    figures: { phases, windows: isolation.windows, queue: queue.figures, fates: queue.fates },
  };
}

/** Latency and answers for the other buyer's suppliers. */
function isolationOf(
  evidence: Evidence,
  phases: readonly Phase[],
  stage: Stage,
  windowMs: number,
): { table: Table; failures: string[]; windows: Record<string, number[]> } {
  const waits = waitsOf(evidence.history, stage.campaign(SOUND).facts.campaign_id);
  const measured = phases.map((phase) => ({
    phase,
    windows: windowsOf(waits, phase, windowMs),
  }));
  const before = median(measured[0]?.windows ?? []);
  const judged = measured.map((one) => ({ ...one, ratio: median(one.windows) / before }));
  return {
    windows: Object.fromEntries(measured.map(({ phase, windows }) => [phase.name, windows])),
    table: {
      title: `The other buyer's leads: p99 of ${cell(windowMs / 1_000)} s windows, ms`,
      head: ['phase', 'windows', 'median', 'worst', 'to before'],
      rows: judged.map(({ phase, windows, ratio }) => [
        phase.name,
        cell(windows.length),
        cell(median(windows)),
        cell(Math.max(...windows)),
        cell(ratio, 2),
      ]),
    },
    failures: Number.isFinite(before)
      ? judged.filter(({ ratio }) => !(ratio <= RATIO_MAX)).map(tooSlow)
      : ["before the trouble not all of the other buyer's leads were acknowledged"],
  };
}

const tooSlow = ({ phase, ratio }: { phase: Phase; ratio: number }): string =>
  `the other buyer's p99 was ${ratio.toFixed(2)} times its value before (phase "${phase.name}"); ${RATIO_MAX} is the most`;

function cpuTable(phases: readonly Phase[]): Table {
  const names = [...new Set(phases.flatMap(({ cpu }) => Object.keys(cpu)))];
  return {
    title: 'CPU, % of a core',
    head: ['process', ...phases.map(({ name }) => name)],
    rows: [
      ...names.map((name) => [name, ...phases.map(({ cpu }) => cell(cpu[name] ?? null, 1))]),
      ['all', ...phases.map(({ cpu }) => cell(sum(Object.values(cpu)), 1))],
    ],
  };
}

interface Lane {
  well: number;
  drained: number | null;
  /** Leads parked at the moment of recovery. */
  backlog: number;
}

/** The fate of the ailing buyer's own leads. */
function queueOf(evidence: Evidence, stage: Stage, { well, drained, backlog }: Lane) {
  const { campaign_id, buyers } = stage.campaign(AILING).facts;
  const buyerId = buyers[0]?.buyer_id ?? '';
  const fates = fatesOf(evidence, campaign_id, buyerId);
  const arrivals = arrivalsAt(evidence, buyerId);
  const byDrain = drainedOf(arrivals, evidence.record.leads);
  const after = byDrain.filter(({ at }) => at >= well);
  const figures = {
    backlog,
    acknowledged: fates.acknowledged,
    takenOnce: fates.once,
    held: fates.held.length,
    wrong: fates.wrong.length,
    sentAgain: fates.sentAgain.length,
    firstDrainedAfterS: (Math.min(...after.map(({ at }) => at)) - well) / 1_000,
    drainedAfterS: drained === null ? Infinity : (drained - well) / 1_000,
    perSecond: takenPerSecond(after),
    mostOpenByDrain: mostOpen(byDrain),
    mostOpen: mostOpen(arrivals.filter(({ at }) => at >= well)),
  };
  const table: Table = {
    title: 'Its own leads',
    head: ['', ''],
    rows: [
      ['acknowledged', cell(figures.acknowledged)],
      ['taken once', cell(figures.takenOnce)],
      ['held, never answered', cell(figures.held)],
      ['taken never or twice', cell(figures.wrong)],
      ['sent more than once', cell(figures.sentAgain)],
      ['parked when it was well again', cell(backlog)],
      ['first of them sent after', cell(figures.firstDrainedAfterS, 1, ' s')],
      ['all of them sent after', cell(figures.drainedAfterS, 1, ' s')],
      ['drained a second', cell(figures.perSecond)],
      [`most open by the drain (limit ${CONCURRENT_MAX})`, cell(figures.mostOpenByDrain)],
      ['most open, with new leads', cell(figures.mostOpen)],
    ],
  };
  const failures = [
    ...(drained === null ? [`its queue was not empty ${DRAIN_WITHIN_MS / 1_000} s after`] : []),
    ...(fates.wrong.length === 0
      ? []
      : [
          `${fates.wrong.length} acknowledged leads were taken never or twice: ${some(fates.wrong)}`,
        ]),
    ...(figures.mostOpenByDrain <= CONCURRENT_MAX
      ? []
      : [`its drain had ${figures.mostOpenByDrain} requests open; ${CONCURRENT_MAX} is its limit`]),
    ...(backlog > 0 ? [] : ['nothing was parked: the trouble was none']),
  ];
  return { figures, fates, table, failures };
}

const TOLD = 3;

/** The first few of many ids. */
export const some = (ids: readonly string[]): string =>
  [...ids.slice(0, TOLD), ...(ids.length > TOLD ? ['…'] : [])].join(', ');
