/** The end of a run: the service comes to rest, and what there is to be judged is read. */
import type { AfterSale } from '../afterSale/afterSale.js';
import type { Aim, Evidence } from './evidence.js';
import { readRecord, untilAtRest, type Patience, type Unrest } from './finalRecord.js';
import type { History } from './historyFile.js';
import { rareStates } from '../coverage/rareStates.js';
import type { RunOptions } from '../run.js';
import type { World } from '../cluster/world.js';

type RestOptions = Pick<RunOptions, 'say' | 'patience' | 'hurries'> & AimOptions;
type AimOptions = Pick<RunOptions, 'seed' | 'rate' | 'seconds' | 'kills' | 'kinds' | 'campaigns'>;

/**
 * `reconcile` runs every minute, needs two rounds for some leftovers, and lets a slot that a lost run holds
 * rest for two minutes first.
 */
const PATIENCE: Patience = { ms: 200_000 };
const HURRY_MS = 8_000;
/** For lines of the buyers' journal that are still on their way. */
const JOURNAL_MS = 500;
/** Before rest was found, in milliseconds: a lead that came since was not looked at. */
const FOUND_MS = 1_000;
const TRIES = 4;

/** On a busy machine a request may be read long after its supplier has left, and store a lead: then it rests again. */
export async function gatherAtRest(
  world: World,
  after: AfterSale,
  history: History,
  options: RestOptions,
): Promise<{ evidence: Evidence; unrest: Unrest }> {
  for (let tries = 1; ; tries += 1) {
    const unrest = await comeToRest(world, options);
    const restsSince = Date.now() - FOUND_MS;
    await pause(JOURNAL_MS);
    const evidence = await gather(world, after, history, options);
    const isLate = evidence.record.leads.some(({ created_at }) => Number(created_at) > restsSince);
    if (isLate && tries < TRIES) continue;
    const seen = rareStates(evidence);
    seen.forEach((event) => history.append(event));
    return { unrest, evidence: { ...evidence, history: [...evidence.history, ...seen] } };
  }
}

/** What is left undone when the patience is over, too. */
async function comeToRest(world: World, options: RestOptions): Promise<Unrest> {
  const { say, patience = PATIENCE, hurries = false } = options;
  const began = performance.now();
  const repairing = hurries
    ? setInterval(() => void world.repair().catch(() => undefined), HURRY_MS)
    : undefined;
  let last = '';
  const unrest = await untilAtRest(
    world.store.collections,
    world.campaigns.map(({ facts }) => facts),
    patience,
    (now) => {
      const line = `${now.open} undecided, ${now.sending} being sent, ${now.slots} slots held, ${now.held} leads held, ${now.outcomes} outcomes open, ${now.telling} to be told`;
      if (line !== last) say(`${Math.round((performance.now() - began) / 1_000)} s after: ${line}`);
      last = line;
    },
  );
  clearInterval(repairing);
  return unrest;
}

async function gather(
  world: World,
  after: AfterSale,
  history: History,
  options: AimOptions,
): Promise<Evidence> {
  const campaigns = world.campaigns.map(({ facts }) => facts);
  const record = await readRecord(world.store.collections, campaigns, world.reconciled);
  return {
    ...{ seed: options.seed, campaigns, record, aim: aimOf(options) },
    ends: Object.values(world.victims).flatMap((victim) => victim.ends()),
    journal: await world.buyers.journal(),
    after: await after.gather(),
    history: [...history.events],
  };
}

const aimOf = ({ rate, seconds, kills, kinds, campaigns }: AimOptions): Aim => ({
  ...{ rate, seconds, kills },
  whole: kinds === undefined && campaigns === undefined,
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
