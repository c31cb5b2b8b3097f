/** How many leads a second the service takes at saturation, beside the references, and what a lead costs. */
import type { Cost } from '../meters/cost.js';
import { startMeter } from '../meters/cost.js';
import { figuresOf, type Figure } from '../report/figures.js';
import { openIntake } from '../load/intakeLoad.js';
import { OPEN, type Measure } from '../part.js';
import { beside, REFERENCES } from '../reference/references.js';
import { saturate } from '../load/stage.js';

const WARM_UP_SECONDS = 1.5;
/** A reference may take seconds for each at so many open: what is counted begins when the first are through. */
const REFERENCE_WARM_UP_SECONDS = 4;
/** The first seconds of a process are its slowest. */
const FIRST_SECONDS = 4;

export const intake: Measure = async (bench, { seconds, rounds }, say) => {
  const load = await openIntake(bench);
  const meter = await startMeter(bench);
  const plain = { ...load, say, warmUp: WARM_UP_SECONDS };
  return beside(bench, REFERENCES, async (references) => {
    say('  warming up');
    await saturate({ ...plain, warmUp: 0 }, OPEN, FIRST_SECONDS);
    const perSecond: Record<string, number[]> = {};
    const costs: Cost[] = [];
    const note = (name: string, value: number) => (perSecond[name] ??= []).push(value);
    const contenders = [
      async () => {
        const { perSecond: value, cost } = await saturate({ ...plain, meter }, OPEN, seconds);
        note('leads_per_s_256', value);
        if (cost) costs.push(cost);
      },
      ...references.map((reference) => async () => {
        say(`  ${reference.what}:`);
        const stage = { ...reference, say, warmUp: REFERENCE_WARM_UP_SECONDS };
        note(reference.figure, (await saturate(stage, reference.open, seconds)).perSecond);
      }),
    ];
    for (let round = 0; round < rounds; round++) {
      say(`  round ${round + 1} of ${rounds}`);
      note('leads_per_s_32', (await saturate(plain, 32, seconds)).perSecond);
      note('leads_per_s_128', (await saturate(plain, 128, seconds)).perSecond);
      // Each round begins with another, so that none has the better place.
      for (const [n] of contenders.entries()) await contenders[(n + round) % contenders.length]?.();
    }
    const names = ['leads_per_s_32', 'leads_per_s_128', 'leads_per_s_256'] as const;
    return [
      ...names.flatMap((name) => figuresOf(name, perSecond[name] ?? [])),
      ...references.flatMap(({ figure, open }) =>
        figuresOf(figure, perSecond[figure] ?? [], `${open} open`),
      ),
      ...costFigures(costs),
    ];
  });
};

/** Those of the shape that does not run have no figure. */
const MEASURED = ['intake', 'api', 'worker', 'delivery', 'mongod', 'temporal'] as const;

function costFigures(costs: readonly Cost[]): Figure[] {
  const commands = costs.map((cost) =>
    Object.values(cost.commands).reduce((sum, count) => sum + count, 0),
  );
  const calls = costs.flatMap(({ temporalCalls }) => temporalCalls ?? []);
  const note = `at ${OPEN} open, with the counting for reports, less what the process uses at rest`;
  return [
    ...MEASURED.flatMap((name) =>
      figuresOf(
        `cpu_ms_per_lead_${name}`,
        costs.flatMap(({ cpuMs }) => cpuMs[name] ?? []),
        note,
      ),
    ),
    ...figuresOf('mongo_ops_per_lead', commands, `commands of all processes ${note}`),
    ...figuresOf('temporal_calls_per_lead', calls, `polls included, ${note}`),
  ];
}
