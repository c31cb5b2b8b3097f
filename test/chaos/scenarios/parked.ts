/** Very many leads wait for one buyer that is down: waiting costs nothing. */
import { CONCURRENT_MAX } from '../load/account.js';
import { buyerName, type CampaignSpecs } from '../load/campaignSpec.js';
import type { Evidence } from '../evidence/evidence.js';
import { arrivalsAt, drainedOf, fatesOf, mostOpen, type Fates } from './arrivals.js';
import { costOf, cpuTable, measure, MEASURE_S, settle } from './idling.js';
import { sum } from './meter.js';
import { placeParked } from './parkedLeads.js';
import {
  paceOf,
  pause,
  comesTrue,
  type Outcome,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import { onStage, type Stage } from './stage.js';
import { cell, describeTable, type Table } from './table.js';

const LEADS = 100_000;
const DRAIN_S = 20;
const USUAL_S = 2 * MEASURE_S + DRAIN_S;
/** The effects of starting (compiled code, caches) are over after this time. */
const SETTLE_MS = 20_000;
/** The effects of storing are over after one round of `reconcile`. */
const LONG_SETTLE_MS = 70_000;
/** Until the buyer has refused the drain with the full queue; its pauses are a minute long by then. */
const PROBED_WITHIN_MS = 150_000;
/** The buyer is tried at most five minutes after it recovers, and then takes some hundred leads a second. */
const DRAINED_WITHIN_MS = 3_600_000;
const POLL_INTERVAL_MS = 2_000;
/** Leads per second, posted to get some parked, or to let the service notice that the buyer has recovered. */
const TRICKLE = 5;
const TRICKLE_MS = 6_000;
/** First number of the leads posted after the recovery: no other lead has it. */
const AGAIN = 1_000_000;

const NAME = 'parked';
const SPECS: CampaignSpecs = {
  [NAME]: {
    weight: 1,
    dedupe_fields: [],
    buyers: { only: { price: 10, honours: false, on_unknown: 'hold', rejects: 0 } },
    suppliers: [{ cost: 4 }],
  },
};

export const parked: Scenario = (options) =>
  onStage(options, SPECS, (stage) => play(stage, options));

async function play(stage: Stage, options: ScenarioOptions): Promise<Outcome> {
  const { cluster, say } = stage;
  const { facts } = stage.campaign(NAME);
  const lane: Lane = {
    campaignId: facts.campaign_id,
    buyerId: facts.buyers[0]?.buyer_id ?? '',
    name: buyerName(NAME, 'only'),
  };
  const pace = paceOf(options, USUAL_S);
  await settle(stage, SETTLE_MS * pace);
  say('measuring with nothing parked');
  const idle = await measure(stage, pace);

  const down = Date.now();
  await cluster.setNetwork([lane.name], 'refuse', 1);
  const isMet = await park(stage, lane, options.leads ?? LEADS);
  await settle(stage, LONG_SETTLE_MS * pace);
  const pausesBefore = await pausesOf(stage, lane);
  const queue = await parkedNow(stage, lane);
  say(`measuring with ${queue} parked`);
  const full = await measure(stage, pace);
  const probes = (await pausesOf(stage, lane)) - pausesBefore;
  const mended = sum(Object.values(cluster.reconciled));
  // Draining a long queue takes an hour; this result is known now.
  describeTable(cpuTable(idle, full, queue)).forEach(say);

  say('the buyer is well again');
  const well = Date.now();
  stage.record({ type: 'network', targets: [lane.name], detail: 'refuse', at: down, ended: well });
  await cluster.setNetwork([lane.name], null, 0);
  const isDrained = await drainAll(stage, lane, options.seed);
  const { evidence, failures } = await stage.judge();

  const cost = costOf(idle, full);
  const drain = drainOf(evidence, lane, well, DRAIN_S * Math.min(1, pace));
  const fates = fatesOf(evidence, lane.campaignId, lane.buyerId);
  return {
    tables: [cpuTable(idle, full, queue), waitingTable({ probes, mended, drain, fates })],
    failures: [
      ...(isMet ? [] : ['the drain did not look at the queue after the leads were placed']),
      ...cost.failures,
      ...(isDrained ? [] : ['the queue was never empty']),
      ...(drain.mostOpen <= CONCURRENT_MAX ? [] : [`${drain.mostOpen} requests were open at once`]),
      ...(fates.wrong.length === 0 ? [] : [`${fates.wrong.length} leads were not taken once`]),
      ...failures,
    ],
    figures: { queue, idle, full, cost, probes, mended, drain },
  };
}

interface Lane {
  campaignId: string;
  buyerId: string;
  name: string;
}

const parkedNow = ({ cluster }: Stage, { buyerId }: Lane): Promise<number> =>
  cluster.store.collections.deliveries.countDocuments({ buyer_id: buyerId, state: 'parked' });

/** How often in a row the service has paused the buyer. */
const pausesOf = async ({ cluster }: Stage, { buyerId }: Lane): Promise<number> =>
  (await cluster.store.collections.destinations.findOne({ _id: buyerId }))?.pauses ?? 0;

/** The service parks some leads, the others are copies. False when its drain has not run with them. */
async function park(stage: Stage, lane: Lane, count: number): Promise<boolean> {
  const { cluster, say } = stage;
  const { destinations } = cluster.store.collections;
  const suppliers = stage.post(TRICKLE);
  await pause(TRICKLE_MS);
  say(`placing ${count} parked leads`);
  await placeParked({ ...cluster.store, ...stage, ...lane, count });
  await pause(TRICKLE_MS);
  await suppliers.stop();
  const placed = Date.now();
  say('waiting until the drain has met them');
  const lastDrain = async (): Promise<number> =>
    Number((await destinations.findOne({ _id: lane.buyerId }))?.last_drain_at ?? 0);
  return comesTrue(async () => (await lastDrain()) > placed, {
    timeoutMs: PROBED_WITHIN_MS,
    intervalMs: POLL_INTERVAL_MS,
  });
}

/** New leads let the service notice that the buyer has recovered, as in production. */
async function drainAll(stage: Stage, lane: Lane, seed: string): Promise<boolean> {
  const suppliers = stage.post(TRICKLE, { seed: `${seed} again`, numbersFrom: AGAIN });
  const isDrained = await comesTrue(
    async () => {
      const left = await parkedNow(stage, lane);
      stage.say(`${left} parked`);
      return left === 0;
    },
    { timeoutMs: DRAINED_WITHIN_MS, intervalMs: 5 * POLL_INTERVAL_MS },
  );
  await suppliers.stop();
  return isDrained;
}

interface Drain {
  noticedAfterS: number;
  /** Leads per second in its first seconds. */
  perSecond: number;
  seconds: number;
  allAfterS: number;
  mostOpen: number;
}

function drainOf(evidence: Evidence, { buyerId }: Lane, well: number, seconds: number): Drain {
  const byDrain = drainedOf(arrivalsAt(evidence, buyerId), evidence.record.leads);
  const times = byDrain.map(({ at }) => at).filter((at) => at >= well);
  const [first, last] = times.reduce(
    ([low, high], at) => [Math.min(low, at), Math.max(high, at)],
    [Infinity, 0],
  );
  return {
    noticedAfterS: (first - well) / 1_000,
    perSecond: times.filter((at) => at < first + seconds * 1_000).length / seconds,
    seconds,
    allAfterS: (last - first) / 1_000,
    mostOpen: mostOpen(byDrain),
  };
}

function waitingTable(told: { probes: number; mended: number; drain: Drain; fates: Fates }): Table {
  const { probes, mended, drain, fates } = told;
  return {
    title: 'While they waited, and then',
    head: ['', ''],
    rows: [
      ['pauses of the buyer begun while measuring', cell(probes)],
      ['mended by reconcile', cell(mended)],
      ['the first was sent after the buyer was well', cell(drain.noticedAfterS, 1, ' s')],
      [`drained a second, in the first ${cell(drain.seconds)} s`, cell(drain.perSecond)],
      ['all were drained in', cell(drain.allAfterS, 1, ' s')],
      [`most open by the drain (limit ${CONCURRENT_MAX})`, cell(drain.mostOpen)],
      ['acknowledged', cell(fates.acknowledged)],
      ['taken once', cell(fates.once)],
    ],
  };
}
