/** Everything that a run needs, started: servers, account, buyers behind a bad network, and the roles. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyring, type Keyring } from '../../../src/platform/security/seal.js';
import type { Reporter } from '../../../src/embedded/reporter.js';
import { connectStore, type Store } from '../../../src/app/database.js';
import { ensureIndexes } from '../../../src/app/ensureIndexes.js';
import { seedAccount, type SeededCampaign } from '../load/account.js';
import type { CampaignSpecs } from '../load/campaignSpec.js';
import type { Buyers } from '../buyers/client.js';
import type { Target } from '../faults/faultSchedule.js';
import type { Battlefield } from '../faults/nemesis.js';
import { installCalendars } from '../load/calendar.js';
import type { Instant } from '../evidence/evidence.js';
import type { Midnight } from '../load/midnight.js';
import { createRandom } from '../prng.js';
import { repairNow } from './repairNow.js';
import { superviseRole } from './roles.js';
import { fixedPorts, startServers, type Servers } from './servers.js';
import type { Victim } from './supervised.js';
import { openBuyerFleet } from '../buyers/buyerFleet.js';

export interface ClusterOptions {
  seed: string;
  /** Folder of everything that the run writes. */
  folder: string;
  cacheDir: string;
  reporter: Reporter;
  specs: CampaignSpecs;
  /** Name of a mutant. */
  planted?: string;
  /** Settings of the service, instead of those that the seed would choose. */
  settings?: Record<string, string>;
  /** The midnight that its accounts cross, asked for when they are made; without it they keep UTC. */
  midnight?: (now: Instant) => Midnight;
}

export interface Cluster extends Battlefield {
  apiUrl: string;
  store: Store;
  /** What the account's secrets rest sealed with. */
  keyring: Keyring;
  campaigns: SeededCampaign[];
  /** Undefined where the accounts keep UTC. */
  midnight: Midnight | undefined;
  buyers: Buyers;
  /** Names of all buyers. */
  buyerNames: string[];
  /** What `reconcile` mended, by kind. */
  reconciled: Record<string, number>;
  /** Has `reconcile` run now, whenever its schedule would. */
  repair(): Promise<void>;
  /** Ends all misbehavior and waits until everything serves. */
  calm(): Promise<void>;
  stop(): Promise<void>;
}

const DATABASE = 'chaos';
const SECRET = 'a secret of 32 characters or more, for chaos';
/** The nemesis leaves nobody behind for longer, in milliseconds. */
const CALM_WITHIN_MS = 90_000;

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { folder, specs, seed } = options;
  const logDir = join(folder, 'logs');
  await mkdir(logDir, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const servers = await startServers({ ...options, home: join(folder, 'home') });
    undo.push(() => servers.stop());
    const store = await connectStore({
      uri: servers.mongodbUri,
      database: DATABASE,
      patient: true,
    });
    undo.push(() => store.close());
    await ensureIndexes(store.db);

    const fleet = await openBuyerFleet(seed, join(folder, 'journal.jsonl'), specs);
    undo.push(() => fleet.stop());
    const keyring = createKeyring(SECRET);
    const where = { collections: store.collections, keyring };
    const [port = 0] = await fixedPorts(1);
    const reconciled: Record<string, number> = {};
    const roles = startRoles({
      env: environment(options, servers, port),
      logDir,
      onReconciled: (kind, count) => (reconciled[kind] = (reconciled[kind] ?? 0) + count),
    });
    undo.push(() => Promise.all(Object.values(roles).map((role) => role.end(0))));
    const victims = { ...roles, temporal: servers.temporal, mongod: servers.mongod };
    const allReady = (): Promise<unknown> => within(CALM_WITHIN_MS, Object.values(victims));
    await allReady();
    // Now that everything runs it is known when the first lead can be posted.
    installCalendars();
    const midnight = options.midnight?.(Date.now());
    const campaigns = await seedAccount(where, specs, fleet.urlOf, midnight?.timeZone);
    await fleet.introduce(campaigns, where);
    return {
      store,
      keyring,
      campaigns,
      midnight,
      reconciled,
      victims,
      stop,
      apiUrl: `http://127.0.0.1:${port}`,
      buyers: fleet.buyers,
      buyerNames: fleet.names,
      deleteTemporal: () => servers.deleteTemporal(),
      repair: () => repairNow(servers.temporalAddress, servers.temporalNamespace),
      setNetwork: (names, mode, share) => fleet.setNetwork(names, mode, share),
      setBuyers: (names, mode) => fleet.setBuyers(names, mode),
      async calm() {
        await fleet.setNetwork(fleet.names, null, 0);
        for (const name of fleet.names) await fleet.buyers.control({ buyer: name, mode: 'well' });
        await allReady();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function within(ms: number, victims: readonly Victim[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set(victims.map(({ name }) => name));
  const all = Promise.all(
    victims.map((victim) => victim.ready().then(() => waiting.delete(victim.name))),
  );
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`Not ready within ${ms / 1_000} s: ${[...waiting].join(', ')}`)),
      ms,
    );
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
}

function environment(
  { seed, planted, settings }: ClusterOptions,
  { mongodbUri, temporalAddress, temporalNamespace }: Servers,
  port: number,
): Record<string, string> {
  // Sizes of groups and the patience with buyers decide which races are likely: each run has its own.
  const random = createRandom(seed, 'settings');
  return {
    PORT: String(port),
    LOG_LEVEL: 'info',
    MONGODB_URI: mongodbUri,
    MONGODB_DATABASE: DATABASE,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
    LEADWIRE_SECRET: SECRET,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    INTAKE_GROUP_MAX: random.pick(['4', '12', '128']),
    INTAKE_LANES: random.pick(['2', '4', '8']),
    INTAKE_LINGER_MS: random.pick(['0', '100']),
    INTAKE_SOFT_LIMIT_MS: random.pick(['20', '50', '150']),
    ...settings,
    ...(planted === undefined ? {} : { CHAOS_PLANTED: planted }),
  };
}

type RoleTarget = Exclude<Target, 'temporal' | 'mongod'>;

function startRoles(
  common: Pick<Parameters<typeof superviseRole>[0], 'env' | 'logDir' | 'onReconciled'>,
): Record<RoleTarget, Victim> {
  const start = (name: RoleTarget, role: string): Victim =>
    superviseRole({ ...common, name, role });
  return {
    api: start('api', 'api'),
    'worker-1': start('worker-1', 'worker'),
    'worker-2': start('worker-2', 'worker'),
    delivery: start('delivery', 'delivery'),
  };
}
