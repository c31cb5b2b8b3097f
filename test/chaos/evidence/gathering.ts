/** The end of a run: waits until the service settles, and reads the evidence. */
import type { AfterSale } from '../afterSale/afterSale.js';
import type { Aim, Evidence, Seen } from './evidence.js';
import { readRecord, waitUntilSettled, type SettleTimeout, type Unsettled } from './finalRecord.js';
import type { History } from './historyFile.js';
import { rareStates } from '../coverage/rareStates.js';
import type { RunOptions } from '../run.js';
import type { Cluster } from '../cluster/cluster.js';

type RestOptions = Pick<RunOptions, 'say' | 'settleTimeout' | 'hurries'> & AimOptions;
export type AimOptions = Pick<
  RunOptions,
  'seed' | 'rate' | 'seconds' | 'kills' | 'kinds' | 'campaigns'
>;

/**
 * `reconcile` runs every minute, needs two rounds for some leftovers, and waits two minutes before it ends a
 * reservation of a lost run.
 */
const SETTLE_TIMEOUT: SettleTimeout = { ms: 200_000 };
const HURRY_MS = 8_000;
/** For lines of the buyers' journal that are not yet written. */
const JOURNAL_MS = 500;
/** Margin before the record was found settled, in milliseconds: a later lead was not checked. */
const FOUND_MS = 1_000;
const TRIES = 4;

/** A busy machine may read a request long after its supplier has left, and store a lead: then all settles again. */
export async function gatherSettled(
  cluster: Cluster,
  after: AfterSale,
  history: History,
  options: RestOptions,
): Promise<{ evidence: Evidence; unsettled: Unsettled }> {
  for (let tries = 1; ; tries += 1) {
    const unsettled = await settle(cluster, options);
    const restsSince = Date.now() - FOUND_MS;
    await pause(JOURNAL_MS);
    const evidence = await gather(cluster, after, history, options);
    const isLate = evidence.record.leads.some(({ created_at }) => Number(created_at) > restsSince);
    if (isLate && tries < TRIES) continue;
    const seen = [...rareStates(evidence), ...statesMet(cluster)];
    seen.forEach((event) => history.append(event));
    return { unsettled, evidence: { ...evidence, history: [...evidence.history, ...seen] } };
  }
}

const statesMet = ({ met }: Pick<Cluster, 'met'>): Seen[] =>
  Object.entries(met).map(([state, count]) => ({ kind: 'seen', state, count }));

/** Also reads what is still open when the settle timeout is over. */
async function settle(cluster: Cluster, options: RestOptions): Promise<Unsettled> {
  const { say, settleTimeout = SETTLE_TIMEOUT, hurries = false } = options;
  const began = performance.now();
  const repairing = hurries
    ? setInterval(() => void cluster.repair().catch(() => undefined), HURRY_MS)
    : undefined;
  let last = '';
  const unsettled = await waitUntilSettled(
    cluster.store.collections,
    cluster.campaigns.map(({ facts }) => facts),
    settleTimeout,
    (now) => {
      const line = `${now.open} undecided, ${now.sending} being sent, ${now.reservations} slots held, ${now.held} leads held, ${now.outcomes} outcomes open, ${now.telling} to be told`;
      if (line !== last) say(`${Math.round((performance.now() - began) / 1_000)} s after: ${line}`);
      last = line;
    },
  );
  clearInterval(repairing);
  return unsettled;
}

/** What is known now, settled or not. */
export async function gather(
  cluster: Cluster,
  after: AfterSale,
  history: History,
  options: AimOptions,
): Promise<Evidence> {
  const campaigns = cluster.campaigns.map(({ facts }) => facts);
  const record = await readRecord(cluster.store.collections, campaigns, cluster.reconciled);
  return {
    seed: options.seed,
    campaigns,
    record,
    aim: aimOf(options),
    ends: Object.values(cluster.victims).flatMap((victim) => victim.ends()),
    journal: await cluster.buyers.journal(),
    after: await after.gather(),
    history: [...history.events],
  };
}

const aimOf = ({ rate, seconds, kills, kinds, campaigns }: AimOptions): Aim => ({
  rate,
  seconds,
  kills,
  whole: kinds === undefined && campaigns === undefined,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
