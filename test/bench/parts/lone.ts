/** The latency of a single request at a time, and of an empty workflow under the same condition. */
import { figuresOf } from '../report/figures.js';
import { openIntake } from '../load/intakeLoad.js';
import type { Measure } from '../part.js';
import { beside, EMPTY_WORKFLOW } from '../reference/references.js';
import { saturate, warmProcess } from '../load/stage.js';

const WARM_UP_SECONDS = 1;

export const lone: Measure = (bench, { seconds, rounds }, say) =>
  beside(bench, [EMPTY_WORKFLOW], async ([empty]) => {
    const load = await openIntake(bench);
    const leads: number[] = [];
    const empties: number[] = [];
    const measure = async (into: number[], sender: typeof load | typeof empty) => {
      if (!sender) return;
      const stage = { ...sender, say, warmUp: WARM_UP_SECONDS };
      into.push((await saturate(stage, 1, seconds)).p50);
    };
    say('  warming up');
    for (const sender of [load, ...(empty ? [empty] : [])]) await warmProcess(sender, say);
    await bench.quiet();
    for (let round = 0; round < rounds; round++) {
      say(`  round ${round + 1} of ${rounds}: a lead, then an empty workflow`);
      await measure(leads, load);
      await bench.quiet();
      await measure(empties, empty);
    }
    return [...figuresOf('single_p50_ms', leads), ...figuresOf('empty_single_p50_ms', empties)];
  });
