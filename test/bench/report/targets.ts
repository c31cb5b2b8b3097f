/** What the benchmark must reach on two cores with everything on one machine. Ratios are of one run. */
import type { Figure, FigureName } from './figures.js';

export interface Target {
  /** What is judged, in words. */
  what: string;
  figure: FigureName;
  /** The figure is divided by this one. */
  over?: FigureName;
  /** More is better, or less is. */
  good: 'more' | 'less';
  least: number;
  aim: number;
  /** The aim is reached only if this figure is no more than that, too. */
  aimToo?: { figure: FigureName; most: number };
}

export const TARGETS: readonly Target[] = [
  {
    what: 'leads a second at 256 open / empty workflows a second',
    figure: 'leads_per_s_256',
    over: 'empty_workflow_per_s',
    good: 'more',
    least: 8,
    aim: 10,
  },
  {
    what: 'leads a second at 256 open / one workflow per lead',
    figure: 'leads_per_s_256',
    over: 'workflow_per_lead_per_s',
    good: 'more',
    least: 18,
    aim: 25,
  },
  {
    what: 'leads a second at 256 open / plain Koa and MongoDB',
    figure: 'leads_per_s_256',
    over: 'plain_koa_per_s',
    good: 'more',
    least: 2.6,
    aim: 3,
  },
  {
    what: 'p99 at 100 a second / p99 of empty workflows at 50 a second',
    figure: 'open_100_p99_ms',
    over: 'empty_50_p99_ms',
    good: 'less',
    least: 1,
    aim: 0.6,
    aimToo: { figure: 'open_100_p99_ms', most: 150 },
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
    least: 400,
    aim: 250,
  },
  {
    what: 'one lead alone, p50 / a lone empty workflow, p50',
    figure: 'single_p50_ms',
    over: 'empty_single_p50_ms',
    good: 'less',
    least: 1.5,
    aim: 1.2,
  },
  {
    what: 'intake at 1 million stored leads / at 0',
    figure: 'intake_1m_ratio',
    good: 'more',
    least: 0.9,
    aim: 1,
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
  {
    what: 'pings a second, static prices',
    figure: 'pings_per_s',
    good: 'more',
    least: 2_000,
    aim: 2_500,
  },
  {
    what: 'MongoDB CPU per lead in full groups, ms',
    figure: 'cpu_ms_per_lead_mongod',
    good: 'less',
    least: 1.2,
    aim: 0.7,
  },
  {
    what: 'memory of api and worker after 100,000 leads, MiB',
    figure: 'rss_mib',
    good: 'less',
    least: 450,
    aim: 350,
  },
  // Flat: a heap breathes, so a twentieth is no growth.
  {
    what: 'memory at the end of the last half / at its begin',
    figure: 'rss_last_half_ratio',
    good: 'less',
    least: 1.05,
    aim: 1.05,
  },
];

export interface Verdict {
  target: Target;
  /** The figure or the ratio; absent where one of them was not measured. */
  value?: number;
  /** `aim` is more than `met`. */
  verdict: 'met' | 'aim' | 'missed' | 'not measured';
}

export function verdicts(
  figures: readonly Figure[],
  targets: readonly Target[] = TARGETS,
): Verdict[] {
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  return targets.map((target) => {
    const { figure, over, good, least, aim, aimToo } = target;
    const measured = values.get(figure);
    const divisor = over === undefined ? 1 : values.get(over);
    if (measured === undefined || !divisor) return { target, verdict: 'not measured' };
    const value = measured / divisor;
    const reaches = (bound: number) => (good === 'more' ? value >= bound : value <= bound);
    const isTrueToo = !aimToo || (values.get(aimToo.figure) ?? Infinity) <= aimToo.most;
    if (reaches(aim) && isTrueToo) return { target, value, verdict: 'aim' };
    return { target, value, verdict: reaches(least) ? 'met' : 'missed' };
  });
}
