/** Runs the service in separate processes under this one: several that accept leads, one that drains queues. */
import type { Config } from '../../src/app/config.js';
import { connectStore } from '../../src/app/database.js';
import type { StackAddresses } from '../../src/app/deps.js';
import { createLog } from '../../src/lib/log.js';
import { createServerClock } from '../../src/platform/mongo/serverClock.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import type { Environment } from '../output/paint.js';
import type { Serving, ServingOptions } from './serving.js';
import { supervise, type Member } from './supervisor.js';

/** @throws {Error} when a process does not start; every process that was started has been stopped */
export async function serveApart({ config, environment, stack }: ServingOptions): Promise<Serving> {
  const settings = { ...environment, ...stackSettings(stack) };
  const members = membersOf(config, settings);
  const log = createLog(config.logLevel, 'up');
  const supervisor = await supervise(members, log, config.stopDelayMs);
  try {
    const record = await openRecord(config, stack);
    return {
      url: supervisor.url,
      record,
      stop: () => supervisor.stop().finally(() => record.close()),
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

/** Each process needs its own port for health and metrics: from the second on they use the following ones. */
export function membersOf(
  { processes, healthPort }: Pick<Config, 'processes' | 'healthPort'>,
  environment: Environment,
): Member[] {
  const roles = [
    ...Array.from({ length: processes }, () => 'intake' as const),
    'delivery' as const,
  ];
  return roles.map((role, n) => ({
    role,
    environment: healthPort ? { ...environment, HEALTH_PORT: String(healthPort + n) } : environment,
  }));
}

/** The servers as settings, which replace any others for them. */
const stackSettings = (stack: StackAddresses): Environment => ({
  MONGODB_URI: stack.mongodbUri,
  MONGODB_URI_FILE: undefined,
  TEMPORAL_ADDRESS: stack.temporalAddress,
  TEMPORAL_NAMESPACE: stack.temporalNamespace,
  LEADWIRE_SECRET: stack.secret,
  LEADWIRE_SECRET_FILE: undefined,
});

async function openRecord(config: Config, { mongodbUri: uri, secret }: StackAddresses) {
  const store = await connectStore({ uri, database: config.mongodbDatabase });
  try {
    const clock = await createServerClock(store.client);
    return {
      collections: store.collections,
      clock,
      keyring: createKeyring(secret),
      async close() {
        clock.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
