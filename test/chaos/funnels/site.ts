/** What a proof runs on: servers, the roles of the service, a buyer, and a published funnel. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectStore, type Collections } from '../../../src/app/database.js';
import { ensureIndexes } from '../../../src/app/ensureIndexes.js';
import type { Reporter } from '../../../src/embedded/reporter.js';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { createAccount } from '../../support/account.js';
import { startFakeBuyer, type FakeBuyer } from '../../support/fakeBuyer.js';
import { openFunnelMaker } from '../../support/funnels.js';
import { repairNow } from '../cluster/repairNow.js';
import { superviseRole } from '../cluster/roles.js';
import { fixedPorts, startServers } from '../cluster/servers.js';
import type { Victim } from '../cluster/supervised.js';
import { provenFunnel } from './definition.js';

export interface FunnelSite {
  /** Where the funnel is. */
  url: string;
  collections: Collections;
  buyer: FakeBuyer;
  /** The roles of the service, by what they do. */
  roles: Readonly<Record<RoleName, Victim>>;
  /** `reconcile` now. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

export const ROLE_NAMES = ['api', 'worker', 'delivery'] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

export interface SiteOptions {
  /** Everything that is written goes here. */
  folder: string;
  cacheDir: string;
  reporter: Reporter;
  /** Names of mutants. */
  planted?: readonly string[];
}

const DATABASE = 'chaos_funnels';
const SECRET = 'a secret of 32 characters or more, for funnels';

export async function openSite(options: SiteOptions): Promise<FunnelSite> {
  const { folder, planted = [] } = options;
  const logDir = join(folder, 'logs');
  await mkdir(logDir, { recursive: true });
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const servers = await startServers({ ...options, home: join(folder, 'home') });
    undo.push(() => servers.stop());
    const { mongodbUri, temporalAddress, temporalNamespace } = servers;
    const store = await connectStore({ uri: mongodbUri, database: DATABASE, patient: true });
    undo.push(() => store.close());
    await ensureIndexes(store.db);
    // A buyer that may be sent a lead again after a kill, and accepts it once.
    const buyer = await startFakeBuyer(undefined, { honorsKey: () => true });
    undo.push(() => buyer.stop());
    const [port = 0] = await fixedPorts(1);
    const env = {
      PORT: String(port),
      LOG_LEVEL: 'info',
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE: DATABASE,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
      LEADWIRE_SECRET: SECRET,
      OUTBOUND_ALLOW_PRIVATE: 'true',
      // Each visitor has an address of its own.
      TRUST_PROXY: 'true',
      CHAOS_PLANTED: planted.join(','),
    };
    const start = (role: RoleName): Victim =>
      superviseRole({ role, name: role, env, logDir, onReconciled: () => undefined });
    const roles = { api: start('api'), worker: start('worker'), delivery: start('delivery') };
    undo.push(() => Promise.all(Object.values(roles).map((role) => role.end(0))));
    await Promise.all(Object.values(roles).map((role) => role.ready()));
    const { collections } = store;
    const account = await createAccount(
      { collections, keyring: createKeyring(SECRET) },
      {
        buyers: {
          roofs: { price: 20, delivery: { url: buyer.url, honours_idempotency_key: true } },
        },
      },
    );
    const maker = await openFunnelMaker(`http://127.0.0.1:${port}`, collections, account);
    const { url } = await maker.publish({
      name: 'Roofs',
      slug: 'roofs',
      definition: provenFunnel,
    });
    const repair = (): Promise<void> => repairNow(temporalAddress, temporalNamespace);
    return { url, collections, buyer, roles, repair, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
