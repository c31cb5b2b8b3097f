/**
 * The effect of a failing buyer on the leads of another campaign, once its breaker is open: a tenth of the leads
 * go to it, and each such window has a counterpart in which they go to a healthy buyer.
 */
import type { Bench } from '../bench.js';
import { openLoop, percentile, type Sample } from '../load/load.js';
import type { Shape } from '../part.js';

/** Well below the capacity of two cores: above it any further work, not only a failing buyer's, slows every queue. */
const PER_SECOND = 50;
const TIME_LIMIT_MS = 1_000;
const WARM_UP_SECONDS = 1;
const WINDOW_MAX_SECONDS = 10;
/** How much slower the leads of the other campaign may be. */
const LIMIT = 1.2;
/** A port that refuses connections. */
const NOWHERE = 'http://127.0.0.1:1/';
const BREAKER_WITHIN_MS = 20_000;

const SICK: Record<string, (url: string) => string> = {
  'hangs until its time limit': (url) => `${url}/hang`,
  'refuses connections': () => NOWHERE,
  'says 503': (url) => `${url}/status/503`,
};

/** The samples of the other campaign, and the number of unexpected answers. */
interface Window {
  samples: Sample[];
  failed: number;
}

export async function sickBuyer(
  bench: Bench,
  { seconds, rounds }: Shape,
  say: (line: string) => void,
) {
  const kinds = Object.keys(SICK);
  const others = await bench.account((url) => ({
    suppliers: 4,
    buyers: { fast: { delivery: { url: `${url}/fast/1` } } },
  }));
  const well = await bench.account((url) => ({
    buyers: { well: { delivery: { url: `${url}/fast/2` } } },
  }));
  type Tenth = typeof well;
  const measure = async (tenth: Tenth): Promise<Window> => {
    const length = Math.min(seconds, WINDOW_MAX_SECONDS);
    const load = await openLoop(PER_SECOND, length, WARM_UP_SECONDS, async (n) => {
      const isTenth = n % 10 === 0;
      const reply = isTenth
        ? await tenth.supplier.post()
        : await others.supplier.post({}, { supplier: n % 4 });
      return reply.status === 201 ? (isTenth ? 'tenth' : 'others') : String(reply.status);
    });
    return {
      samples: load.samples.filter(({ kind }) => kind === 'others'),
      failed: load.samples.filter(({ kind }) => kind !== 'others' && kind !== 'tenth').length,
    };
  };

  // The first seconds of a process are its slowest.
  await measure(well);
  const without: Window[] = [];
  const sick = new Map<string, Window[]>(kinds.map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1}, p50/p99 of the others in ms`);
    const before = await measure(well);
    without.push(before);
    say(`  ${'without'.padEnd(WIDTH)} ${shown(before)}`);
    // Each round begins with another kind, so that no kind has a better position.
    for (const kind of kinds.map((_, n) => kinds[(n + round) % kinds.length] ?? '')) {
      const tenth = await breakDown(bench, kind);
      const window = await measure(tenth);
      await bench.forget(tenth.account);
      sick.get(kind)?.push(window);
      say(`  ${kind.padEnd(WIDTH)} ${shown(window)}`);
    }
  }
  const p99Without = p99Of(without);
  const summary = kinds.map((kind) => {
    const windows = sick.get(kind) ?? [];
    const p99 = p99Of(windows);
    const ratio = Math.round((p99 / Math.max(p99Without, 1)) * 100) / 100;
    const failed = windows.reduce((sum, window) => sum + window.failed, 0);
    return { kind, p99, ratio, failed, isWithin: ratio <= LIMIT && failed === 0 };
  });
  say(
    `p99 of the others over all ${rounds} rounds, at ${PER_SECOND} leads a second: ${p99Without} ms without`,
  );
  for (const { kind, p99, ratio, failed, isWithin } of summary) {
    const verdict = isWithin ? 'within' : 'over';
    say(
      `  ${kind.padEnd(WIDTH)} ${p99} ms, ${ratio} times (${verdict} ${LIMIT}); failed ${failed}`,
    );
  }
  return { perSecond: PER_SECOND, limit: LIMIT, p99Without, summary };
}

const WIDTH = 27;

const shown = ({ samples, failed }: Window): string =>
  `${percentile(samples, 50)}/${percentile(samples, 99)}; failed ${failed}`;

/** Over all windows together: a single one has too few leads for a steady figure. */
const p99Of = (windows: readonly Window[]): number =>
  percentile(
    windows.flatMap(({ samples }) => samples),
    99,
  );

/** A campaign whose only buyer fails in this way, with its breaker open. */
async function breakDown(bench: Bench, kind: string) {
  const made = await bench.account((url) => ({
    buyers: {
      sick: { delivery: { url: SICK[kind]?.(url) ?? NOWHERE, timeout_ms: TIME_LIMIT_MS } },
    },
  }));
  const until = performance.now() + BREAKER_WITHIN_MS;
  while (!(await bench.isResting(made.account.buyers.sick ?? ''))) {
    if (performance.now() > until) throw new Error(`The breaker stays closed: ${kind}`);
    await Promise.all(Array.from({ length: 5 }, () => made.supplier.post()));
  }
  return made;
}
