/** Load without a fault: there is nothing to repair, and memory does not grow. */
import { campaignSpecs } from '../load/campaigns.js';
import type { CampaignSpecs } from '../load/campaignSpec.js';
import { loadOf } from '../report/report.js';
import { cpuBetween, sampleOf, sum, type Sample } from './meter.js';
import { pause, RATE, type Outcome, type Scenario, type ScenarioOptions } from './scenario.js';
import { onStage, type Stage } from './stage.js';
import { cell, type Table } from './table.js';

const MINUTES = 5;
/** Memory is measured from here on: caches are filled, code is compiled; in milliseconds. */
const WARM_UP_MS = 30_000;
const LOOKS = 10;
/** Typical buyers: some answer slowly, some reject. */
const NATURAL = { accept: 80, accept_slowly: 16, reject: 4 };
const CAMPAIGNS = ['honouring', 'holding', 'capped', 'duplicates'];
const MB = 1_048_576;

function naturalSpecs(perSecond: number, seconds: number): CampaignSpecs {
  const chosen = Object.entries(
    campaignSpecs({ leads: perSecond * seconds, perSecond }, Date.now()),
  ).filter(([name]) => CAMPAIGNS.includes(name));
  return Object.fromEntries(
    chosen.map(([name, spec]) => {
      const buyers = Object.entries(spec.buyers).map(([buyer, terms]) => [
        buyer,
        { ...terms, flaky: true, shares: NATURAL },
      ]);
      return [name, { ...spec, buyers: Object.fromEntries(buyers) as typeof spec.buyers }];
    }),
  );
}

export const healthy: Scenario = (options) => {
  const minutes = options.minutes ?? (options.seconds ?? MINUTES * 60) / 60;
  const specs = naturalSpecs(options.rate ?? RATE, minutes * 60);
  return onStage(options, specs, (stage) => play(stage, minutes * 60_000, options));
};

async function play(stage: Stage, forMs: number, options: ScenarioOptions): Promise<Outcome> {
  const { cluster } = stage;
  // Suppliers keep their usual habits: some close connections, some send twice.
  const suppliers = stage.post(options.rate ?? RATE, { habits: {} });
  const warmUpMs = Math.min(WARM_UP_MS, forMs / LOOKS);
  await pause(warmUpMs);
  const samples: Sample[] = [await sampleOf(cluster)];
  for (let look = 1; look <= LOOKS; look++) {
    await pause((forMs - warmUpMs) / LOOKS);
    samples.push(await sampleOf(cluster));
    options.say(`${Math.round((100 * look) / LOOKS)} %, ${suppliers.counts().posted} leads posted`);
  }
  await suppliers.stop();
  const { evidence, unsettled, failures } = await stage.judge();
  const load = loadOf(evidence, forMs / 1_000);
  const repairs = sum(Object.values(cluster.reconciled));
  return {
    tables: [loadTable(load, unsettled.held, repairs), memoryTable(samples)],
    failures: [
      ...(repairs === 0 ? [] : [`reconcile mended ${JSON.stringify(cluster.reconciled)}`]),
      ...failures,
    ],
    figures: { seconds: forMs / 1_000, load, reconciled: { ...cluster.reconciled }, samples },
  };
}

function loadTable(load: ReturnType<typeof loadOf>, held: number, repairs: number): Table {
  return {
    title: 'Load',
    head: ['', ''],
    rows: [
      ['leads', cell(load.intents)],
      ['acknowledged a second', cell(load.perSecond.acknowledged, 1)],
      ['median, p99', `${load.latency.p50} ms, ${load.latency.p99} ms`],
      ...Object.entries(load.answers).map(([answer, count]) => [answer, cell(count)]),
      ['held at the end', cell(held)],
      ['mended by reconcile', cell(repairs)],
    ],
  };
}

function memoryTable(samples: readonly Sample[]): Table {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last) return { title: 'Processes', head: [], rows: [] };
  const cpu = cpuBetween(first, last);
  return {
    title: 'Memory in MB (resident) and CPU in % of a core',
    head: ['process', 'start', 'most', 'end', 'CPU'],
    rows: Object.keys(last.uses).map((name) => {
      const all = samples.flatMap(({ uses }) => (uses[name] ? [uses[name].rssBytes / MB] : []));
      const most = Math.max(...all);
      return [
        name,
        cell(all[0] ?? null),
        cell(most),
        cell(all.at(-1) ?? null),
        cell(cpu[name] ?? null, 1),
      ];
    }),
  };
}
