/** How many leads per second the service accepts at saturation, the references likewise, and the cost of a lead. */
import { cpuGroupsOf, type Bench } from '../bench.js';
import type { Cost } from '../meters/cost.js';
import { startMeter } from '../meters/cost.js';
import { SHARES, type Contender } from '../report/cores.js';
import { figuresOf, type Figure, type FigureName } from '../report/figures.js';
import { openIntake } from '../load/intakeLoad.js';
import { OPEN, type Measure, type Say, type Shape } from '../part.js';
import { PROCESS_NAMES } from '../processNames.js';
import { beside, REFERENCES, type RunningReference } from '../reference/references.js';
import { FIRST_SECONDS, saturate, warmProcess, type Row, type Stage } from '../load/stage.js';

/** Before each window, for the service and the references: at 256 open an empty workflow takes two seconds. */
const WARM_UP_SECONDS = 2.5;
/** Numbers of open requests tried for a reference: its figure is the one of the best. */
const SWEEP = [32, 64, 128, OPEN] as const;
/** For a run with one repetition. */
const SHORT_SWEEP = [64, OPEN] as const;
const opensOf = (rounds: number): readonly number[] => (rounds > 1 ? SWEEP : SHORT_SWEEP);
/** Numbers of open requests that the service is measured with in addition to {@link OPEN}. */
const BELOW = [32, 64, 128] as const;
/** Starting the references, and measuring the service's idle use. */
const STARTING_SECONDS = 17;
/** Per round: until its leads are counted. */
const SETTLING_SECONDS = 5;
/** The length of a window of the sweep, or below saturation, relative to the others. */
const SHORTER = 0.5;

/** A reference, and the number of open requests it is measured with. */
interface Swept {
  reference: RunningReference;
  stage: Stage;
  open: number;
  /** For the note: the numbers tried. */
  tried: string;
}

/** Approximate duration of this part in seconds. */
export function intakeSeconds({ seconds, rounds }: Shape): number {
  const [shorter, whole] = [seconds * SHORTER + WARM_UP_SECONDS, seconds + WARM_UP_SECONDS];
  const contenders = REFERENCES.length + 1;
  return (
    STARTING_SECONDS +
    contenders * FIRST_SECONDS +
    REFERENCES.length * opensOf(rounds).length * shorter +
    rounds * (BELOW.length * shorter + contenders * whole + SETTLING_SECONDS)
  );
}

export const intake: Measure = async (bench, { seconds, rounds }, say) => {
  const load = await openIntake(bench);
  const meter = await startMeter(bench);
  const plain: Stage = { ...load, say, groups: () => bench.groups(), warmUp: WARM_UP_SECONDS };
  return beside(bench, REFERENCES, async (references) => {
    say('  warming up');
    await warmProcess(load, say);
    const swept: Swept[] = [];
    for (const reference of references)
      swept.push(await sweep(bench, reference, opensOf(rounds), seconds * SHORTER, say));
    const rows = new Map<FigureName, Row[]>();
    const note = (name: FigureName, row: Row) => rows.set(name, [...(rows.get(name) ?? []), row]);
    const contenders = [
      async () =>
        note(
          'leads_per_s_256',
          await saturate({ ...plain, meter, cpuGroups: cpuGroupsOf(bench) }, OPEN, seconds),
        ),
      ...swept.map(({ reference, stage, open }) => async () => {
        say(`  ${reference.what}:`);
        note(reference.figure, await saturate(stage, open, seconds));
      }),
    ];
    for (let round = 0; round < rounds; round++) {
      say(`  round ${round + 1} of ${rounds}`);
      for (const open of BELOW)
        note(`leads_per_s_${open}`, await saturate(plain, open, seconds * SHORTER));
      // Reports count these leads before a reference runs.
      await bench.quiet();
      // Each round begins with another contender, so that none has a better position.
      for (const [n] of contenders.entries()) await contenders[(n + round) % contenders.length]?.();
    }
    return figuresFrom(rows, swept);
  });
};

/** Warms a reference up like the service, and finds the number of open requests with the most answers per second. */
async function sweep(
  bench: Bench,
  reference: RunningReference,
  opens: readonly number[],
  seconds: number,
  say: Say,
): Promise<Swept> {
  say(`  ${reference.what}, with ${opens.join(', ')} open:`);
  const cpuGroups = cpuGroupsOf(bench, reference.pids);
  const stage: Stage = { ...reference, say, warmUp: WARM_UP_SECONDS, cpuGroups };
  await warmProcess(reference, say);
  const tried: { open: number; perSecond: number }[] = [];
  for (const open of opens)
    tried.push({ open, perSecond: (await saturate(stage, open, seconds)).perSecond });
  const [best] = tried.toSorted((a, b) => b.perSecond - a.perSecond);
  return {
    reference,
    stage,
    open: best?.open ?? OPEN,
    tried: tried.map(({ open, perSecond }) => `${open} (${perSecond}/s)`).join(', '),
  };
}

function figuresFrom(rows: ReadonlyMap<FigureName, Row[]>, swept: readonly Swept[]): Figure[] {
  const opens = [...BELOW, OPEN] as const;
  const names = opens.map((open) => `leads_per_s_${open}` as const);
  const of = (name: FigureName): Row[] => rows.get(name) ?? [];
  const rates = (name: FigureName): number[] => of(name).map(({ perSecond }) => perSecond);
  const failed = (name: FigureName): number =>
    of(name).reduce((sum, { errors }) => sum + errors, 0);
  const leads = names.flatMap(of);
  const kinds = [...new Set(leads.flatMap((row) => Object.keys(row.kinds)))];
  return [
    ...names.flatMap((name) => figuresOf(name, rates(name))),
    ...opens.flatMap((open) => groupFigures(open, of(`leads_per_s_${open}`))),
    ...figuresOf(
      'saturation_errors',
      [leads.reduce((sum, { errors }) => sum + errors, 0)],
      `of all windows of leads together; answers: ${kinds.join(', ')}`,
    ),
    ...figuresOf(
      'saturation_pending',
      [leads.reduce((sum, { pending }) => sum + pending, 0)],
      'accepted and not delivered by their answer, in all windows of leads together; not in the rates',
    ),
    ...swept.flatMap(({ reference: { figure }, open, tried }) =>
      figuresOf(
        figure,
        rates(figure),
        `${open} open, the best of ${tried}; errors ${failed(figure)}`,
      ),
    ),
    ...coresFigures('leads', of('leads_per_s_256')),
    ...swept.flatMap(({ reference }) => coresFigures(reference.name, of(reference.figure))),
    ...costFigures(of('leads_per_s_256').flatMap(({ cost }) => cost ?? [])),
  ];
}

const groupFigures = (
  open: (typeof BELOW)[number] | typeof OPEN,
  rows: readonly Row[],
): Figure[] => {
  const means = rows.flatMap(({ groups }) => groups ?? []);
  return [
    ...figuresOf(
      `leads_per_group_${open}`,
      means.map(({ leadsPerGroup }) => leadsPerGroup),
    ),
    ...figuresOf(
      `groups_in_flight_${open}`,
      means.map(({ inFlight }) => inFlight),
      'on average',
    ),
  ];
};

const coresFigures = (contender: Contender, rows: readonly Row[]): Figure[] =>
  SHARES.flatMap((share) =>
    figuresOf(
      `cores_${contender}_${share}`,
      rows.flatMap(({ cores }) => cores?.[share] ?? []),
    ),
  );

function costFigures(costs: readonly Cost[]): Figure[] {
  const commands = costs.map((cost) => sum(Object.values(cost.commands)));
  const calls = costs.flatMap(({ temporalCalls }) => temporalCalls ?? []);
  const note = `at ${OPEN} open, with the counting for reports, less what service and servers use at rest`;
  return [
    // Roles of the other shape have no figure.
    ...PROCESS_NAMES.flatMap((name) =>
      figuresOf(
        `cpu_ms_per_lead_${name}`,
        costs.flatMap(({ cpuMs }) => cpuMs[name] ?? []),
        note,
      ),
    ),
    ...figuresOf(
      'cpu_ms_per_lead_all',
      costs.map(({ cpuMs }) => sum(Object.values(cpuMs))),
      `all of these together, ${note}`,
    ),
    ...figuresOf('mongo_ops_per_lead', commands, `commands of all processes ${note}`),
    ...figuresOf('temporal_calls_per_lead', calls, `polls included, ${note}`),
  ];
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);
