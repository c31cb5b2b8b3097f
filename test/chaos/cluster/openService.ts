/** The real service on servers of its own: MongoDB, Temporal, and its roles in processes that can be killed. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connectStore, type Store } from '../../../src/app/database.js';
import { ensureIndexes } from '../../../src/app/ensureIndexes.js';
import type { Reporter } from '../../../src/embedded/reporter.js';
import { createKeyring, type Keyring } from '../../../src/platform/security/seal.js';
import { LAYOUTS, type LayoutName } from './layouts.js';
import { MET } from './observe.js';
import { repairNow } from './repairNow.js';
import { superviseRole } from './roles.js';
import { fixedPorts, startServers } from './servers.js';
import type { Victim } from './supervised.js';

export interface OpenServiceOptions {
  /** Folder of all files that the service writes. */
  folder: string;
  cacheDir: string;
  reporter: Reporter;
  layout: LayoutName;
  /** Names of mutants. */
  planted?: readonly string[];
}

export interface OwnSettings {
  database: string;
  secret: string;
  /** Settings of all processes, in addition to the addresses of the servers. */
  settings: Readonly<Record<string, string>>;
}

export interface OpenService {
  store: Store;
  /** The keyring that seals the account's secrets. */
  keyring: Keyring;
  /** Addresses that answer requests, each of one process. */
  urls: string[];
  /** The processes of the service, by name. */
  roles: Readonly<Record<string, Victim>>;
  /** The same, plus the servers. */
  victims: Readonly<Record<string, Victim>>;
  /** What `reconcile` mended, by kind. */
  reconciled: Record<string, number>;
  /** States that the processes met and no record shows, by state: see `observe.ts`. */
  met: Record<string, number>;
  /** Runs `reconcile` now, regardless of its schedule. */
  repair(): Promise<void>;
  /** Kills Temporal and deletes its store; it comes back empty. False when it is down already. */
  deleteTemporal(): boolean;
  stop(): Promise<void>;
}

/** Resolves when everything serves. */
export async function openService(
  options: OpenServiceOptions,
  { database, secret, settings }: OwnSettings,
): Promise<OpenService> {
  const { folder, layout, planted = [] } = options;
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
    const store = await connectStore({ uri: mongodbUri, database, patient: true });
    undo.push(() => store.close());
    await ensureIndexes(store.db);

    const { serving, roles: named } = LAYOUTS[layout];
    const free = await fixedPorts(serving.length);
    const ports = new Map(serving.map((name, n) => [name, free[n] ?? 0]));
    const env = {
      LOG_LEVEL: 'info',
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE: database,
      TEMPORAL_ADDRESS: temporalAddress,
      TEMPORAL_NAMESPACE: temporalNamespace,
      LEADWIRE_SECRET: secret,
      OUTBOUND_ALLOW_PRIVATE: 'true',
      ...settings,
      CHAOS_PLANTED: planted.join(','),
    };
    const reconciled: Record<string, number> = {};
    const met: Record<string, number> = Object.fromEntries(MET.map((state) => [state, 0]));
    const roles = Object.fromEntries(
      named.map(([name, role]) => [
        name,
        superviseRole({
          name,
          role,
          logDir,
          env: { ...env, PORT: String(ports.get(name) ?? 0) },
          onReconciled: (kind, count) => (reconciled[kind] = (reconciled[kind] ?? 0) + count),
          onMet: (state) => (met[state] = (met[state] ?? 0) + 1),
        }),
      ]),
    );
    undo.push(() => Promise.all(Object.values(roles).map((role) => role.end(0))));
    const victims = { ...roles, temporal: servers.temporal, mongod: servers.mongod };
    await allReady(victims);
    return {
      store,
      roles,
      victims,
      reconciled,
      met,
      stop,
      keyring: createKeyring(secret),
      urls: [...ports.values()].map((port) => `http://127.0.0.1:${port}`),
      repair: () => repairNow(temporalAddress, temporalNamespace),
      deleteTemporal: () => servers.deleteTemporal(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Maximum time for processes to come back after the last fault, in milliseconds. */
const READY_WITHIN_MS = 90_000;

/** @throws {Error} naming the processes that do not serve in time */
export async function allReady(victims: Readonly<Record<string, Victim>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Set(Object.keys(victims));
  const all = Promise.all(
    Object.values(victims).map((victim) => victim.ready().then(() => waiting.delete(victim.name))),
  );
  const late = new Promise<never>((_, reject) => {
    const fail = () =>
      reject(
        new Error(`Not ready within ${READY_WITHIN_MS / 1_000} s: ${[...waiting].join(', ')}`),
      );
    timer = setTimeout(fail, READY_WITHIN_MS);
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
}
