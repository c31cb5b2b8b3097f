/** The targets of the benchmark on two cores with everything on one machine. Ratios are of one run. */
import { medianOf, type FigureName } from './figures.js';
import type { RunResult } from './result.js';

export interface Target {
  /** The subject of the target, in words. */
  what: string;
  figure: FigureName;
  /** The figure is divided by this one. */
  over?: FigureName;
  /** Whether more is better, or less is. */
  good: 'more' | 'less';
  least: number;
  aim: number;
  /** The aim also requires that this figure is at most `most`. */
  aimToo?: { figure: FigureName; most: number };
}

export const TARGETS: readonly Target[] = [
  {
    what: 'leads a second at 256 open / empty workflows a second',
    figure: 'leads_per_s_256',
    over: 'empty_workflow_per_s',
    good: 'more',
    least: 10,
    aim: 13,
  },
  {
    what: 'leads a second at 256 open / one workflow per lead',
    figure: 'leads_per_s_256',
    over: 'workflow_per_lead_per_s',
    good: 'more',
    least: 10,
    aim: 14,
  },
  {
    what: 'leads a second at 256 open / plain Koa and MongoDB',
    figure: 'leads_per_s_256',
    over: 'plain_koa_per_s',
    good: 'more',
    least: 3,
    aim: 4,
  },
  {
    what: 'p99 at 100 a second / p99 of empty workflows at 50 a second',
    figure: 'open_100_p99_ms',
    over: 'empty_50_p99_ms',
    good: 'less',
    least: 1.5,
    aim: 1,
    aimToo: { figure: 'open_100_p99_ms', most: 120 },
  },
  {
    what: 'one lead alone, p50 / a lone empty workflow, p50',
    figure: 'single_p50_ms',
    over: 'empty_single_p50_ms',
    good: 'less',
    least: 1.7,
    aim: 1.4,
  },
  {
    what: 'errors in 200 a second for 10 s',
    figure: 'burst_200_errors',
    good: 'less',
    least: 0,
    aim: 0,
  },
  {
    what: 'p99 in 200 a second for 10 s, ms',
    figure: 'burst_200_p99_ms',
    good: 'less',
    least: 250,
    aim: 150,
  },
  {
    what: 'p99 at 400 a second, ms',
    figure: 'open_400_p99_ms',
    good: 'less',
    least: 400,
    aim: 250,
  },
  {
    what: 'pings a second, static prices',
    figure: 'pings_per_s',
    good: 'more',
    least: 2_000,
    aim: 2_500,
  },
  {
    what: 'p99 of pings at 500 a second, ms',
    figure: 'ping_500_p99_ms',
    good: 'less',
    least: 80,
    aim: 50,
  },
  {
    what: 'outcomes a second by postback',
    figure: 'outcomes_per_s',
    good: 'more',
    least: 500,
    aim: 800,
  },
  {
    what: 'actions that read, a second',
    figure: 'actions_read_per_s',
    good: 'more',
    least: 400,
    aim: 800,
  },
  {
    what: 'intake at 1 million stored leads / at 0',
    figure: 'intake_1m_ratio',
    good: 'more',
    least: 0.95,
    aim: 1,
  },
  {
    what: 'memory of all processes of the service after 100,000 leads, MiB',
    figure: 'rss_mib',
    good: 'less',
    least: 450,
    aim: 350,
  },
  // Flat: heap sizes fluctuate, so a twentieth is no growth.
  {
    what: 'memory at the end of the last half / at its begin',
    figure: 'rss_last_half_ratio',
    good: 'less',
    least: 1.05,
    aim: 1.05,
  },
  {
    what: 'MongoDB CPU per lead in full groups, ms',
    figure: 'cpu_ms_per_lead_mongod',
    good: 'less',
    least: 1.2,
    aim: 0.7,
  },
  {
    what: 'data of the slowest portal page with a million leads stored, p95, ms',
    figure: 'portal_page_p95_ms',
    good: 'less',
    least: 300,
    aim: 150,
  },
  {
    what: 'p99 at 100 leads a second beside 50 people in the portal / alone',
    figure: 'portal_p99_ratio',
    good: 'less',
    least: 1.05,
    aim: 1.05,
  },
  {
    what: 'errors at 100 leads a second beside people in the portal, and alone',
    figure: 'portal_errors',
    good: 'less',
    least: 0,
    aim: 0,
  },
  {
    what: 'data of the slowest screen of the console with a million leads stored, p95, ms',
    figure: 'screens_p95_ms',
    good: 'less',
    least: 300,
    aim: 150,
  },
  {
    what: 'p99 at 100 leads a second beside 20 operators in the console / alone',
    figure: 'screens_p99_ratio',
    good: 'less',
    least: 1.25,
    aim: 1.1,
  },
  {
    what: 'errors at 100 leads a second beside operators in the console, and alone',
    figure: 'screens_errors',
    good: 'less',
    least: 0,
    aim: 0,
  },
  {
    what: 'p99 of pages of a funnel, 200 visitors a second, ms',
    figure: 'funnel_page_p99_ms',
    good: 'less',
    least: 150,
    aim: 75,
  },
  {
    what: 'errors of a funnel: pages, their files and submits',
    figure: 'funnel_errors',
    good: 'less',
    least: 0,
    aim: 0,
  },
];

export interface Verdict {
  target: Target;
  /** The median of `runs`; absent when the figure, or its divisor, was not measured. */
  value?: number;
  /** The figure or the ratio of each run; null: not measured. */
  runs: (number | null)[];
  /** `aim` is better than `met`. */
  verdict: 'met' | 'aim' | 'missed' | 'not measured';
}

/** @param result a run, or several merged ones: then the median of their ratios is judged */
export function verdicts(
  result: Pick<RunResult, 'figures' | 'runs'>,
  targets: readonly Target[] = TARGETS,
): Verdict[] {
  const runs = (result.runs ?? [result]).map(
    ({ figures }) => new Map(figures.map(({ name, value }) => [name, value])),
  );
  return targets.map((target) => {
    const { good, least, aim, aimToo } = target;
    const each = runs.map((values) => ratioOf(target, values));
    const measured = each.filter((value) => value !== null);
    if (measured.length === 0) return { target, runs: each, verdict: 'not measured' };
    const { value } = medianOf(measured);
    const reaches = (bound: number) => (good === 'more' ? value >= bound : value <= bound);
    const isTrueToo =
      !aimToo ||
      medianOf(runs.map((values) => values.get(aimToo.figure) ?? Infinity)).value <= aimToo.most;
    const verdict = reaches(aim) && isTrueToo ? 'aim' : reaches(least) ? 'met' : 'missed';
    return { target, value, runs: each, verdict };
  });
}

function ratioOf({ figure, over }: Target, values: ReadonlyMap<FigureName, number>): number | null {
  const measured = values.get(figure);
  const divisor = over === undefined ? 1 : values.get(over);
  return measured === undefined || !divisor ? null : measured / divisor;
}
