/** The middle of a run: suppliers post while faults go on, if need be round after round; then everything is mended. */
import type { Cluster } from './cluster/cluster.js';
import { hasTestedEnough } from './checker/enough.js';
import { acknowledged } from './checker/totals.js';
import { gather } from './evidence/gathering.js';
import { scheduleFaults, type ScheduledFault } from './faults/faultSchedule.js';
import type { AfterSale } from './afterSale/afterSale.js';
import { startOutcomeReporter } from './afterSale/outcomeReporter.js';
import type { History } from './evidence/historyFile.js';
import { watchLag } from './faults/lag.js';
import { unleash, type Nemesis } from './faults/nemesis.js';
import { postedTo } from './load/account.js';
import type { CampaignSpec } from './load/campaignSpec.js';
import { BUSY_AFTER_MS, untilPosting } from './load/midnight.js';
import { startSuppliers } from './load/suppliers/suppliers.js';
import { inRounds } from './rounds.js';
import type { RunOptions } from './run.js';

/** Before the first fault, so that there are leads to count before and after the faults. */
const WARM_UP_MS = 2_000;
/** How long a supplier keeps sending a lead, in milliseconds: a little over twice the longest Retry-After. */
const GIVE_UP_AFTER_MS = 40_000;
/**
 * At higher rates suppliers give up sooner, but not before this: on a small machine thousands of leads that
 * are sent again and again would take all of the time, and no lead would be sold that could be sold twice.
 */
const GIVE_UP_MIN_MS = 8_000;
const POSTED_MAX = 1_000;
/** Longer than suppliers keep a lead open, with its last sending, so that no planned lead is skipped; in seconds. */
const OPEN_MAX_SECONDS = 60;
const OPEN_MIN = 100;
/** Maximum pause of a supplier that is refused again and again, in milliseconds. */
const PAUSE_MAX_MS = 12_000;
const TELL_MS = 10_000;
/** Between two rounds of faults. */
const RESPITE_MS = 15_000;

export async function breakAndMend(
  cluster: Cluster,
  after: AfterSale,
  history: History,
  options: RunOptions,
): Promise<{ kills: number; postedFor: number }> {
  const { midnight, urls } = cluster;
  const { seed, rate, say, until } = options;
  const { maxOpen = Math.max(OPEN_MIN, rate * OPEN_MAX_SECONDS) } = options;
  if (midnight) {
    await untilPosting(midnight);
    say(`${midnight.turn} begins in ${Math.round((midnight.at - Date.now()) / 1_000)} s`);
  }
  const began = performance.now();
  const suppliers = startSuppliers({
    urls,
    campaigns: postedTo(cluster.campaigns),
    rate,
    seed,
    history,
    giveUpAfterMs: Math.max(
      GIVE_UP_MIN_MS,
      Math.min(GIVE_UP_AFTER_MS, (1_000 * POSTED_MAX) / rate),
    ),
    longestPauseMs: PAUSE_MAX_MS,
    maxOpen,
  });
  const outcomeReporter = startOutcomeReporter({ seed, urls, history, secretOf: after.secretOf });
  const endLag = watchLag((fault) => history.append(fault));
  const killed = (): number => nemeses.reduce((sum, nemesis) => sum + nemesis.kills(), 0);
  const told = setInterval(() => say(progress(began, killed(), history)), TELL_MS);
  const nemeses: Nemesis[] = [];
  const faults = async (nth: number): Promise<void> => {
    const over = pause(options.seconds * 1_000);
    const plan = planOf(nth, killed(), cluster, options);
    const nemesis = unleash(plan, cluster, (fault) => history.append(fault));
    nemeses.push(nemesis);
    await Promise.all([nemesis.done, over]);
  };
  /** A machine that could not keep up takes leads again. */
  const respite = async (): Promise<void> => {
    await cluster.calm();
    await pause(RESPITE_MS);
  };
  try {
    await pause(WARM_UP_MS);
    await inRounds({
      withinMs: until?.withinMs ?? 0,
      async round(nth) {
        const isCalm = nth % 2 === 0;
        await (isCalm ? respite() : faults(nth));
        say(`round ${nth} is over`);
      },
      async isEnough() {
        const evidence = await gather(cluster, after, history, options);
        const hasTaken = acknowledged(evidence) >= (until?.acknowledged ?? 0);
        return killed() >= options.kills && hasTaken && hasTestedEnough(evidence);
      },
    });
    await Promise.all([cluster.calm(), after.calm()]);
    await suppliers.stop();
    await outcomeReporter.stop();
    return { kills: killed(), postedFor: (performance.now() - began) / 1_000 };
  } finally {
    clearInterval(told);
    endLag();
  }
}

/** The faults of a round; those after the first make up for the kills that found no process. */
function planOf(
  nth: number,
  killed: number,
  cluster: Cluster,
  { seed, kills, seconds, kinds }: RunOptions,
): ScheduledFault[] {
  const { midnight, layout } = cluster;
  const isFirst = nth === 1;
  const busyAtFirst = midnight &&
    isFirst && {
      buyers: namesIn(cluster, ({ waitsForMidnight }) => waitsForMidnight),
      forMs: Math.max(0, midnight.at + BUSY_AFTER_MS - Date.now()),
    };
  return scheduleFaults({
    seed: isFirst ? seed : `${seed}, round ${nth}`,
    layout,
    kills: isFirst ? kills : Math.max(1, kills - killed),
    seconds,
    kinds,
    parking: namesIn(cluster, ({ parking }) => parking),
    changing: namesIn(cluster, ({ changesMode }) => changesMode),
    busyAtFirst: busyAtFirst || undefined,
    buyers: cluster.buyerNames,
  });
}

/** Names of the buyers of such campaigns. */
const namesIn = (
  { campaigns }: Cluster,
  is: (spec: CampaignSpec) => boolean | undefined,
): string[] =>
  campaigns
    .filter(({ spec }) => is(spec) === true)
    .flatMap(({ facts }) => facts.buyers.map(({ name }) => name));

function progress(began: number, kills: number, { events }: History): string {
  let open = 0;
  let taken = 0;
  for (const event of events) {
    if (event.kind === 'invoked') open += 1;
    if (event.kind === 'completed') open -= 1;
    if (event.kind === 'completed' && event.outcome === 'ok') taken += 1;
  }
  const seconds = Math.round((performance.now() - began) / 1_000);
  return `${seconds} s: ${kills} killed, ${taken} acknowledged, ${open} open`;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
