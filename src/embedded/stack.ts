import { findPrograms } from './binaries/programs.js';
import { startEmbedded, type Embedded } from './embedded.js';
import type { ServerNews } from './keepRunning.js';
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
    const outside = {
      mongodbUri,
      temporalAddress,
      temporalUiUrl: null,
      servers: () => [],
      onNews: () => undefined,
      stop: () => Promise.resolve(),
    };
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
  const { mongodbUri, temporalAddress, temporalUiUrl } = embedded;
  return {
    mongodbUri,
    temporalAddress,
    temporalNamespace,
    /** Null when Temporal is an outside one. */
    temporalUiUrl,
    /** The secret kept in the home; null when MongoDB is an outside one. */
    secret,
    /** The embedded servers that run now. */
    get processes() {
      return embedded.servers().map(({ name, pid }) => ({ name, pid }));
    },
    /**
     * What becomes of the servers until the stack is stopped: one that ends by itself is started again, at the same
     * address, a few times. For one listener; it also receives the news from before the call.
     */
    onNews(listener: (news: ServerNews) => void): void {
      embedded.onNews((news) => {
        if (!stopped) listener(news);
      });
    },
    /** Stops Temporal, then MongoDB, and releases the home. Bounded; may be called twice. */
    stop(): Promise<void> {
      stopped ??= embedded.stop().then(release);
      return stopped;
    },
  };
}
