/**
 * What a buyer that fails does to the leads of another campaign, once its breaker is open: a tenth of the leads
 * go to it, and beside each such window stands one in which they go to a well one.
 */
import type { Bench } from './bench.js';
import { median, openLoop, percentile } from './load.js';
import type { Shape } from './throughput.js';

const PER_SECOND = 100;
const TIME_LIMIT_MS = 1_000;
const WARM_UP_SECONDS = 1;
/** Twelve windows and their breakers stay under two minutes. */
const LONGEST_WINDOW_SECONDS = 5;
/** How much slower the others may be. */
const LIMIT = 1.2;
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1/';
const BREAKER_WITHIN_MS = 20_000;

const SICK: Record<string, (url: string) => string> = {
  'hangs until its time limit': (url) => `${url}/hang`,
  'refuses connections': () => NOWHERE,
  'says 503': (url) => `${url}/status/503`,
};

interface Window {
  p50: number;
  p99: number;
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
    const length = Math.min(seconds, LONGEST_WINDOW_SECONDS);
    const load = await openLoop(PER_SECOND, length, WARM_UP_SECONDS, async (n) => {
      const isTenth = n % 10 === 0;
      const reply = isTenth
        ? await tenth.supplier.post()
        : await others.supplier.post({}, { supplier: n % 4 });
      return reply.status === 201 ? (isTenth ? 'tenth' : 'others') : String(reply.status);
    });
    return {
      p50: percentile(load.samples, 50, 'others'),
      p99: percentile(load.samples, 99, 'others'),
      failed: load.samples.filter(({ kind }) => kind !== 'others' && kind !== 'tenth').length,
    };
  };

  // The first seconds of a process are its slowest.
  await measure(well);
  const without: Window[] = [];
  const sick: Record<string, (Window & { ratio: number })[]> = {};
  for (let round = 0; round < rounds; round++) {
    const before = await measure(well);
    without.push(before);
    say(`round ${round + 1}: others' p50/p99 ${before.p50}/${before.p99} ms without`);
    // Each round begins with another kind, so that no kind has the better place.
    for (const kind of kinds.map((_, n) => kinds[(n + round) % kinds.length] ?? '')) {
      const tenth = await breakDown(bench, kind);
      const window = await measure(tenth);
      await bench.forget(tenth.account);
      const ratio = Math.round((window.p99 / Math.max(before.p99, 1)) * 100) / 100;
      (sick[kind] ??= []).push({ ...window, ratio });
      say(`  ${kind}: ${window.p50}/${window.p99} ms, ${ratio} times; failed ${window.failed}`);
    }
  }
  const p99Without = median(without.map(({ p99 }) => p99));
  const summary = kinds.map((kind) => {
    const windows = sick[kind] ?? [];
    const p99 = median(windows.map((window) => window.p99));
    const ratio = median(windows.map((window) => window.ratio));
    return { kind, p99, ratio, isWithin: ratio <= LIMIT };
  });
  say(`medians of ${rounds} rounds, p99 of the others: ${p99Without} ms without`);
  for (const { kind, p99, ratio, isWithin } of summary) {
    say(
      `  ${kind.padEnd(27)} ${p99} ms, ${ratio} times (${isWithin ? 'within' : 'over'} ${LIMIT})`,
    );
  }
  return { perSecond: PER_SECOND, limit: LIMIT, p99Without, summary, without, sick };
}

/** A campaign whose only buyer is sick in this way, with its breaker open. */
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
