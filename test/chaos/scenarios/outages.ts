/** MongoDB and Temporal are stopped or killed for a while: suppliers get 503 in time, and all recovers by itself. */
import type { CampaignSpecs } from '../load/campaignSpec.js';
import type { Target } from '../faults/faultSchedule.js';
import { victimOf } from '../faults/nemesis.js';
import { judgeOutage, type Away, type OutageFigures } from './outage.js';
import {
  paceOf,
  pause,
  RATE,
  type Outcome,
  type Scenario,
  type ScenarioOptions,
} from './scenario.js';
import { onStage, type Stage } from './stage.js';
import { cell, type Table } from './table.js';

const BEFORE_S = 15;
const AWAY_S = 30;
const BETWEEN_S = 30;
const STEPS = [
  { how: 'stopped', target: 'mongod' },
  { how: 'stopped', target: 'temporal' },
  { how: 'killed', target: 'mongod' },
  { how: 'killed', target: 'temporal' },
] as const satisfies readonly { how: 'stopped' | 'killed'; target: Target }[];
const USUAL_S = BEFORE_S + STEPS.length * (AWAY_S + BETWEEN_S);
/** No supplier gives up a lead during an outage. */
const GIVE_UP_AFTER_MS = 120_000;
/** A server that was killed serves again by then, in milliseconds. */
const SERVES_WITHIN_MS = 60_000;
/** Seconds that the normal share must last to count as recovered. */
const STEADY_S = 5;

const plain = { weight: 1, dedupe_fields: ['email'], suppliers: [{ cost: 4 }] };
const SPECS: CampaignSpecs = {
  honouring: { ...plain, buyers: { a: { price: 10, honours: true } } },
  holding: { ...plain, buyers: { a: { price: 10, honours: false, on_unknown: 'hold' } } },
};

export const outages: Scenario = (options) =>
  onStage(options, SPECS, (stage) => play(stage, options));

async function play(stage: Stage, options: ScenarioOptions): Promise<Outcome> {
  const pace = paceOf(options, USUAL_S);
  const ms = (seconds: number): number => seconds * pace * 1_000;
  const suppliers = stage.post(options.rate ?? RATE, { giveUpAfterMs: GIVE_UP_AFTER_MS });
  await pause(ms(BEFORE_S));
  const all: Away[] = [];
  for (const { how, target } of STEPS) {
    options.say(`${target} ${how}`);
    const away = await (how === 'stopped' ? stop : kill)(stage, target, ms(AWAY_S));
    await pause(ms(BETWEEN_S));
    all.push({ ...away, name: `${target} ${how}`, lookedAtUntil: Date.now() });
  }
  await suppliers.stop();
  const { evidence, failures } = await stage.judge();
  const steadyS = Math.max(1, Math.round(STEADY_S * pace));
  const judged = all.map((away) => judgeOutage(evidence.history, away, steadyS));
  const { gaveUp, skipped } = suppliers.counts();
  const processes = Object.entries(stage.cluster.victims).map(
    ([name, victim]) => [name, victim.counts()] as const,
  );
  return {
    tables: [
      answersTable(judged.map(({ figures }) => figures)),
      backTable(judged.map(({ figures }) => figures)),
      {
        title: 'Processes: starts, and of them after they ended by themselves',
        head: ['process', 'starts', 'ended'],
        rows: processes.map(([name, { starts, failed }]) => [name, cell(starts), cell(failed)]),
      },
    ],
    failures: [
      ...judged.flatMap((one) => one.failures),
      ...(skipped === 0 ? [] : [`${skipped} leads were not posted, as too many were under way`]),
      ...(gaveUp === 0 ? [] : [`${gaveUp} leads were given up by their suppliers`]),
      ...failures,
    ],
    figures: { outages: judged, processes: Object.fromEntries(processes) },
  };
}

type Gone = Pick<Away, 'from' | 'to' | 'serves'>;

async function stop(stage: Stage, target: Target, forMs: number): Promise<Gone> {
  const victim = victimOf(stage.cluster, target);
  const from = Date.now();
  const pid = victim.signal('SIGSTOP');
  await pause(forMs);
  const to = Date.now();
  if (pid !== null) victim.signal('SIGCONT', pid);
  stage.record({ type: 'stop', targets: [target], at: from, ended: to });
  return { from, to, serves: to };
}

/** Delays its start; from then on it takes its usual time. */
async function kill(stage: Stage, target: Target, forMs: number): Promise<Gone> {
  const victim = victimOf(stage.cluster, target);
  const from = Date.now();
  let to = from;
  const heldBack = new Promise<void>((resolve, reject) => {
    const isHit = victim.kill(async () => {
      await pause(forMs);
      to = Date.now();
      resolve();
    });
    if (!isHit) reject(new Error(`${target} was down already`));
  });
  await heldBack;
  await Promise.race([victim.ready(), pause(SERVES_WITHIN_MS)]);
  stage.record({ type: 'kill', targets: [target], at: from, ended: to });
  return { from, to, serves: Date.now() };
}

const answersTable = (outages: readonly OutageFigures[]): Table => ({
  title: 'Answers: to requests made while the server was away (u: under way when it began)',
  head: ['outage', '503', 'after it', 'other', 'u: 2xx', 'u: 503', 'u: 504', 'u: other', 'slowest'],
  rows: outages.map(({ name, answers, underWay, slowestMs }) => [
    name,
    cell(answers.not_taken),
    cell(answers.after),
    cell(answers.other),
    cell(underWay.ok),
    cell(underWay.not_taken),
    cell(underWay.cannot_tell),
    cell(underWay.other),
    cell(slowestMs, 0, ' ms'),
  ]),
});

const backTable = (outages: readonly OutageFigures[]): Table => ({
  title: 'Back, in seconds after its end (of a killed one: after its start)',
  head: ['outage', 'away', 'server serves', 'first 201', 'normal'],
  rows: outages.map((one) => [
    one.name,
    cell(one.awayS, 1),
    cell(one.servesAfterS, 1),
    cell(one.firstAfterS, 1),
    cell(one.normalAfterS, 1),
  ]),
});
