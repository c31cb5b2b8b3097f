/** One kind of request under load: how many are answered, how soon, and what each costs. */
import { told, type Cost, type Meter } from './cost.js';
import { closedLoop, openLoop, percentile, type LoadResult, type Sample } from './load.js';

export interface Stage {
  /** Sends the n-th request. Its class: what it was answered, or the status or error of what failed. */
  send(n: number): Promise<string>;
  /** How many were sent so far. */
  sent(): number;
  meter: Meter;
  /** Seconds that do not count. */
  warmUp: number;
  say(line: string): void;
}

interface Row {
  name: string;
  /** Answered without an error. */
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  kinds: Record<string, number>;
  errors: number;
  cost: Cost;
}

/** As many requests at once as are told, without a pause. */
export const saturate = (stage: Stage, open: number, seconds: number): Promise<Row> =>
  row(`${open} open`, stage, (send) => closedLoop(open, seconds, stage.warmUp, send));

/** Requests that come evenly, whatever the answers take. */
export const arrive = (stage: Stage, perSecond: number, seconds: number): Promise<Row> =>
  row(`${perSecond} a second for ${seconds} s`, stage, (send) =>
    openLoop(perSecond, seconds, stage.warmUp, send),
  );

/** Something went wrong: an HTTP status, or no answer. */
export const isError = ({ kind }: Sample): boolean => /^\d{3} |Error/.test(kind);

async function row(
  name: string,
  stage: Stage,
  run: (send: () => Promise<string>) => Promise<LoadResult>,
): Promise<Row> {
  let load: LoadResult = { samples: [], seconds: 1 };
  let took = 0;
  const cost = await stage.meter.measure(async () => {
    const before = stage.sent();
    const from = performance.now();
    load = await run(() => stage.send(stage.sent()));
    took = (performance.now() - from) / 1_000 - stage.warmUp;
    return stage.sent() - before;
  });
  const { samples } = load;
  // An open loop goes on until the last is answered.
  const seconds = Math.max(load.seconds, took);
  const kinds: Record<string, number> = {};
  for (const { kind } of samples) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const errors = samples.filter(isError).length;
  const made: Row = {
    ...{ name, perSecond: Math.round((samples.length - errors) / seconds), kinds, cost, errors },
    ...{ p50: percentile(samples, 50), p95: percentile(samples, 95), p99: percentile(samples, 99) },
  };
  const { perSecond, p50, p95, p99 } = made;
  stage.say(
    `  ${name}: ${perSecond}/s, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, errors ${errors}, ` +
      JSON.stringify(kinds),
  );
  stage.say(`    ${told(cost)}`);
  return made;
}
