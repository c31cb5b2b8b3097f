import { findPrograms } from './binaries/programs.js';
import { startEmbedded, type Embedded } from './embedded.js';
import type { ServerExit } from './guardMessages.js';
import { prepareHome, readOrCreateSecret } from './home.js';
import { clearLeftovers, lockHome } from './homeLock.js';
import type { StackOptions } from './stackOptions.js';

/**
 * Starts what is not given: MongoDB as a replica set of one, and Temporal with its UI. They never
 * outlive this process, however it ends.
 * @throws {Error} with what was tried, and what to do
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { mongodbUri, temporalAddress, temporalNamespace } = options;
  if (mongodbUri && temporalAddress) {
    const nothing = { temporalUiUrl: null, servers: [], stop: () => Promise.resolve() };
    const outside = { mongodbUri, temporalAddress, ...nothing };
    return createStack(outside, temporalNamespace, null, () => undefined);
  }
  const home = prepareHome(options.home);
  const lock = await lockHome(home.lock, home.root, options.reporter);
  try {
    await clearLeftovers(lock, options.reporter);
    const secret = mongodbUri ? null : readOrCreateSecret(home.secret);
    const programs = await findPrograms(options);
    const embedded = await startEmbedded(home, lock, programs, options);
    return createStack(embedded, temporalNamespace, secret, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

export type Stack = ReturnType<typeof createStack>;

function createStack(
  embedded: Embedded,
  temporalNamespace: string,
  secret: string | null,
  release: () => void,
) {
  let stopped: Promise<void> | undefined;
  const { mongodbUri, temporalAddress, temporalUiUrl, servers } = embedded;
  return {
    mongodbUri,
    temporalAddress,
    temporalNamespace,
    /** Null when Temporal is an outside one. */
    temporalUiUrl,
    /** The secret kept in the home; null when MongoDB is an outside one. */
    secret,
    /** The embedded servers themselves. */
    processes: servers.map(({ name, pid }) => ({ name, pid })),
    /** Called once per server that exited by itself, also when that was before the call. */
    onExit(listener: (exit: ServerExit) => void): void {
      for (const server of servers) {
        void server.exited.then((exit) => {
          if (!stopped) listener(exit);
        });
      }
    },
    /** Stops Temporal, then MongoDB, and releases the home. Bounded; may be called twice. */
    stop(): Promise<void> {
      stopped ??= embedded.stop().then(release);
      return stopped;
    },
  };
}
