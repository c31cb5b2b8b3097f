/** Everything that a run needs, started: the service on its servers, an account, and buyers behind faulty proxies. */
import { join } from 'node:path';
import { seedAccount, setTestMode, type SeededCampaign } from '../load/account.js';
import type { CampaignSpecs } from '../load/campaignSpec.js';
import type { Buyers } from '../buyers/client.js';
import type { Battlefield } from '../faults/nemesis.js';
import { installCalendars } from '../load/calendar.js';
import type { Instant } from '../evidence/evidence.js';
import type { Midnight } from '../load/midnight.js';
import { createRandom } from '../prng.js';
import { allReady, openService, type OpenService, type OpenServiceOptions } from './openService.js';
import { openBuyerFleet } from '../buyers/buyerFleet.js';

export interface ClusterOptions extends OpenServiceOptions {
  seed: string;
  specs: CampaignSpecs;
  /** Settings of the service, in place of those drawn from the seed. */
  settings?: Record<string, string>;
  /** The midnight that its accounts cross, called when they are created; without it they keep UTC. */
  midnight?: (now: Instant) => Midnight;
}

export interface Cluster extends Battlefield, Omit<OpenService, 'roles'> {
  layout: OpenServiceOptions['layout'];
  campaigns: SeededCampaign[];
  /** Undefined where the accounts keep UTC. */
  midnight: Midnight | undefined;
  buyers: Buyers;
  /** Names of all buyers. */
  buyerNames: string[];
  /** Ends all faults of buyers and the network and waits until everything serves. */
  calm(): Promise<void>;
}

const DATABASE = 'chaos';
const SECRET = 'a secret of 32 characters or more, for chaos';

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, specs, seed, layout } = options;
  const fleet = await openBuyerFleet(seed, join(folder, 'journal.jsonl'), specs);
  const undo: (() => Promise<unknown>)[] = [() => fleet.stop()];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const settings = { ...drawnSettings(seed), ...options.settings };
    const service = await openService(options, { database: DATABASE, secret: SECRET, settings });
    undo.push(() => service.stop());
    const { store, keyring, victims } = service;
    const where = { collections: store.collections, keyring };
    // Now that everything runs, the time of the first lead is known.
    installCalendars();
    const midnight = options.midnight?.(Date.now());
    const campaigns = await seedAccount(where, specs, fleet.urlOf, midnight?.timeZone);
    await fleet.introduce(campaigns, where);
    return {
      ...service,
      layout,
      campaigns,
      midnight,
      stop,
      buyers: fleet.buyers,
      buyerNames: fleet.names,
      setNetwork: (names, mode, share) => fleet.setNetwork(names, mode, share),
      setBuyers: (names, mode) => fleet.setBuyers(names, mode),
      setTestMode: (names, isTest) => setTestMode(where, campaigns, names, isTest),
      async calm() {
        await fleet.setNetwork(fleet.names, null, 0);
        for (const name of fleet.names) await fleet.buyers.control({ buyer: name, mode: 'well' });
        await allReady(victims);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Group sizes and the soft limit of answers decide which races are likely: each run draws its own. */
function drawnSettings(seed: string): Record<string, string> {
  const random = createRandom(seed, 'settings');
  return {
    INTAKE_GROUP_MAX: random.pick(['4', '12', '128']),
    INTAKE_LANES: random.pick(['2', '4', '8']),
    INTAKE_LINGER_MS: random.pick(['0', '100']),
    INTAKE_SOFT_LIMIT_MS: random.pick(['20', '50', '150']),
  };
}
