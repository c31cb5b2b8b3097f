/** The parts of the benchmark, in the order in which they run, and how long each takes. */
import { actions } from './parts/actionsLoad.js';
import { arrivals } from './parts/arrivals.js';
import type { Bench } from './bench.js';
import { capped } from './parts/capped.js';
import { FUNNEL_WINDOWS, funnels } from './parts/funnels.js';
import { growth } from './parts/growth.js';
import { headOfLine } from './parts/headOfLine.js';
import { intake, intakeSeconds } from './parts/intake.js';
import { lone } from './parts/lone.js';
import { memory } from './parts/memory.js';
import { mixed } from './parts/mixed.js';
import { outcomeCosts, outcomes } from './parts/outcomes.js';
import { OPEN, type Measure, type Say, type Shape } from './part.js';
import { pingCosts } from './parts/pingCosts.js';
import { pings } from './parts/pings.js';
import { refused } from './parts/refused.js';
import { portal, PORTAL_LEADS } from './parts/portal.js';
import { reports } from './parts/reports.js';
import { roundTrips } from './parts/roundTrips.js';
import { screens, SCREENS_LEADS } from './parts/screens.js';
import { sickBuyer } from './parts/sickBuyer.js';

export interface Part {
  name: string;
  what: string;
  /** `named`: only when named. `full`: not with --quick. */
  runs: 'always' | 'full' | 'named';
  /** Approximate duration in seconds. */
  takes(shape: Shape): number;
  measure: Measure;
}

/** Duration in seconds: `settling` for starting and settling, plus `count` windows per round. */
const windows = (count: number, settling: number) => (shape: Shape) =>
  settling + count * shape.rounds * (shape.seconds + 1.5);

/** Minimum time of evenly sent outcomes. */
const OUTCOME_SECONDS = 5;

/** These parts have no named figures: their results are kept as they are. */
const telling =
  (name: string, tell: (bench: Bench, shape: Shape, say: Say) => Promise<unknown>): Measure =>
  async (bench, shape, say) => {
    bench.details[name] = await tell(bench, shape, say);
    return [];
  };

export const PARTS: readonly Part[] = [
  {
    name: 'intake',
    what: 'leads a second at saturation, beside the references',
    runs: 'always',
    takes: intakeSeconds,
    measure: intake,
  },
  {
    name: 'arrivals',
    what: 'latency at steady rates, and in the burst of the contract',
    runs: 'always',
    takes: windows(8, 22),
    measure: arrivals,
  },
  {
    name: 'lone',
    what: 'one request alone',
    runs: 'always',
    takes: windows(2, 13),
    measure: lone,
  },
  {
    name: 'refused',
    what: 'leads refused with 400 and 422',
    runs: 'always',
    takes: windows(1, 1),
    measure: refused,
  },
  {
    name: 'pings',
    what: 'pings with static prices and with live buyers',
    runs: 'always',
    takes: windows(3, 6),
    measure: pings,
  },
  {
    name: 'pings',
    what: 'what pings cost, silent buyers, expiry',
    runs: 'named',
    takes: () => 240,
    measure: telling('pings', pingCosts),
  },
  {
    name: 'outcomes',
    what: 'what buyers say of their leads',
    runs: 'always',
    takes: windows(1, 8),
    measure: outcomes,
  },
  {
    name: 'outcomes',
    what: 'the same at a steady rate, and with a webhook',
    runs: 'named',
    takes: ({ rounds }) => (rounds === 1 ? 60 : 120),
    measure: telling('outcomes', (bench, { rounds }, say) =>
      outcomeCosts(bench, rounds === 1 ? OUTCOME_SECONDS : 30, say),
    ),
  },
  {
    name: 'actions',
    what: 'actions that read, and actions that write',
    runs: 'always',
    takes: windows(2, 2),
    measure: actions,
  },
  {
    name: 'mixed',
    what: 'leads, pings, outcomes and lookups at once',
    runs: 'always',
    takes: windows(1, 4),
    measure: mixed,
  },
  {
    name: 'capped',
    what: 'a buyer with a cap that the load passes, for the audit',
    runs: 'always',
    takes: () => 5,
    measure: capped,
  },
  {
    name: 'memory',
    what: 'memory after 100,000 leads',
    runs: 'full',
    takes: () => 90,
    measure: memory,
  },
  {
    name: 'growth',
    what: 'intake and reports with a million leads stored',
    runs: 'full',
    takes: windows(3, 260),
    measure: growth,
  },
  {
    name: 'head-of-line',
    what: 'what one slow buyer does to the others',
    runs: 'named',
    takes: windows(2, 10),
    measure: telling('head-of-line', headOfLine),
  },
  {
    name: 'sick-buyer',
    what: 'what a buyer that fails does to the others',
    runs: 'named',
    takes: windows(4, 20),
    measure: telling('sick-buyer', sickBuyer),
  },
  {
    name: 'round-trips',
    what: 'commands to MongoDB per lead',
    runs: 'named',
    takes: () => 60,
    measure: telling('round-trips', (bench, _, say) => roundTrips(bench, OPEN, say)),
  },
  {
    name: 'portal',
    what: 'pages of partners with a million leads stored, and intake beside people who click',
    runs: 'named',
    takes: ({ seconds, rounds, leads = PORTAL_LEADS }) =>
      50 + leads / 7_000 + 2 * (rounds + 1) * (2 * seconds + 3),
    measure: portal,
  },
  {
    name: 'screens',
    what: 'screens of the console with a million leads stored, and intake beside operators',
    runs: 'named',
    takes: ({ seconds, rounds, leads = SCREENS_LEADS }) =>
      70 + leads / 6_000 + 2 * rounds * (seconds + 3),
    measure: screens,
  },
  {
    name: 'funnels',
    what: 'pages of a funnel for 200 visitors a second, and its submits',
    runs: 'named',
    takes: ({ seconds, rounds }) => 20 + rounds * 2 * (FUNNEL_WINDOWS * seconds + 8),
    measure: funnels,
  },
  {
    name: 'reports',
    what: 'every kind of report on a million leads of a month',
    runs: 'named',
    takes: () => 300,
    measure: telling('reports', (bench, _, say) => reports(bench, say)),
  },
];

export const PART_NAMES: readonly string[] = [...new Set(PARTS.map(({ name }) => name))];

/** @param only names of parts; without any: those of a whole run */
export function partsOf(only: readonly string[] | undefined, quick: boolean): Part[] {
  if (only) return PARTS.filter(({ name }) => only.includes(name));
  return PARTS.filter(({ runs }) => runs === 'always' || (runs === 'full' && !quick));
}
