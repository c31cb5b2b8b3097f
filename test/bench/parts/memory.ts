/** The memory of the service's processes after a hundred thousand leads, and whether it has stopped growing. */
import { figuresOf } from '../report/figures.js';
import { openIntake } from '../load/intakeLoad.js';
import { OPEN, type Measure } from '../part.js';
import { ofService, overLast } from '../meters/rss.js';

const LEADS = 100_000;
/** This many come under this one load: memory left by other parts would look like growth, or hide it. */
const HALF = LEADS / 2;
/** Maximum time on a slow machine, milliseconds. */
const WITHIN_MS = 240_000;
const TOLD_EVERY = 20_000;

export const memory: Measure = async (bench, _, say) => {
  const load = await openIntake(bench);
  const until = performance.now() + WITHIN_MS;
  let toTell = TOLD_EVERY;
  const enough = Math.max(LEADS, bench.answers.size + HALF);
  say(`  ${bench.answers.size} leads so far; on to ${enough}`);
  const one = async () => {
    while (bench.answers.size < enough && performance.now() < until) {
      await load.send(load.sent());
      if (bench.answers.size < toTell) continue;
      if (bench.answers.size < toTell + TOLD_EVERY) say(`  ${bench.answers.size} leads`);
      toTell = bench.answers.size + TOLD_EVERY;
    }
  };
  await Promise.all(Array.from({ length: OPEN }, one));
  await bench.quiet();
  const last = bench.memory.at(-1);
  if (!last) return [];
  const each = Object.entries(last.mib).map(([name, mib]) => `${name} ${Math.round(mib)}`);
  say(`  after ${last.leads} leads, MiB: ${each.join(', ')}`);
  const half = overLast(HALF, bench.memory);
  if (half)
    say(
      `  the service over the last ${HALF} leads: from ${Math.round(half.from)} to ` +
        `${Math.round(half.to)} MiB, ${half.mibPerMinute.toFixed(1)} a minute`,
    );
  const note = `after ${last.leads} leads; ${each.join(', ')}`;
  return [
    ...figuresOf('rss_mib', [ofService(last)], note),
    ...figuresOf(
      'rss_last_half_ratio',
      half ? [half.to / half.from] : [],
      half ? `${half.mibPerMinute.toFixed(1)} MiB a minute` : undefined,
    ),
  ];
};
