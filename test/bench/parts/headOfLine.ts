/** The effect of one slow buyer on the leads of the others: open loop, with a tenth of the leads to it. */
import type { Bench } from '../bench.js';
import { median, openLoop, percentile } from '../load/load.js';
import type { Shape } from '../part.js';

const PER_SECOND = 100;
const SLOW_MS = 1_000;
const WARM_UP_SECONDS = 3;

export async function headOfLine(
  bench: Bench,
  { seconds, rounds }: Shape,
  say: (line: string) => void,
) {
  const { supplier } = await bench.account((url) => ({
    suppliers: 4,
    buyers: {
      // Leads from Nevada go to the slow buyer, all others to the fast one.
      slow: { price: 20, states: ['NV'], delivery: { url: `${url}/slow/${SLOW_MS}` } },
      slowToo: { price: 20, states: ['WY'], delivery: { url: `${url}/fast/1` } },
      fast: { price: 10, states: ['CA'], delivery: { url: `${url}/fast/2` } },
    },
  }));
  const measure = async (tenth: string) => {
    const load = await openLoop(PER_SECOND, seconds, WARM_UP_SECONDS, async (n) => {
      const state = n % 10 === 0 ? tenth : 'CA';
      const reply = await supplier.post({ state }, { supplier: n % 4 });
      return reply.status === 201 ? (state === 'CA' ? 'others' : 'tenth') : String(reply.status);
    });
    return {
      p50: percentile(load.samples, 50, 'others'),
      p99: percentile(load.samples, 99, 'others'),
      tenthP50: percentile(load.samples, 50, 'tenth'),
      failed: load.samples.filter(({ kind }) => kind !== 'others' && kind !== 'tenth').length,
    };
  };
  const without = [];
  const withSlow = [];
  for (let round = 1; round <= rounds; round++) {
    without.push(await measure('WY'));
    withSlow.push(await measure('NV'));
    const [a, b] = [without.at(-1), withSlow.at(-1)];
    say(
      `round ${round}: others' p50/p99 ${a?.p50}/${a?.p99} ms without, ${b?.p50}/${b?.p99} ms with ` +
        `a tenth to a buyer of ${SLOW_MS} ms (its own p50 ${b?.tenthP50} ms), failed ${a?.failed}/${b?.failed}`,
    );
  }
  const before = median(without.map(({ p99 }) => p99));
  const after = median(withSlow.map(({ p99 }) => p99));
  say(
    `median p99 of the others: ${before} ms without, ${after} ms with: ${after - before} ms more`,
  );
  return { perSecond: PER_SECOND, slowMs: SLOW_MS, without, withSlow, riseMs: after - before };
}
