/** Starts the stack and the service on it, and stops them in order. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../src/app/config.js';
import { readHolder } from '../../src/embedded/fileLock.js';
import { portsOf } from '../../src/embedded/home.js';
import { keepPorts, readPorts } from '../../src/embedded/homePorts.js';
import { isAlive } from '../../src/embedded/processes.js';
import type { Reporter } from '../../src/embedded/reporter.js';
import { startStack, type Stack } from '../../src/embedded/stack.js';
import type { Environment } from '../output/paint.js';
import { UsageError } from '../terminal/errors.js';
import type { Serving, ServingOptions } from './serving.js';

export interface Running {
  config: Config;
  stack: Stack;
  record: Serving['record'];
  /** Address of the API. */
  baseUrl: string;
  ingestUrl: string;
  /** The service first, then the servers under it. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * @param environment the source of `given`
 * @param onFatal notified when the service can no longer do its work
 * @throws {Error} that a person can act on; every part that was started has been stopped
 */
export async function boot(
  given: Config,
  environment: Environment,
  reporter: Reporter,
  onFatal: (error: unknown) => void,
): Promise<Running> {
  const config = await withKeptPort(given, reporter);
  // Two processes of one home mostly share one port too; the holder of the home is the better message.
  if (!isHomeHeld(config.home)) await assertPortFree(config.host, config.port);
  const stack = await startStack({
    home: config.home,
    cacheDir: config.cacheDir,
    reporter,
    temporalNamespace: config.temporalNamespace,
    mongodbUri: config.mongodbUri,
    temporalAddress: config.temporalAddress,
    mongodPath: config.mongodPath,
    temporalPath: config.temporalPath,
  });
  try {
    const addresses = { ...stack, secret: requireSecret(config, stack) };
    const temporalUiUrl = config.temporalUiUrl ?? stack.temporalUiUrl ?? undefined;
    const settings = { ...environment, PORT: String(config.port), TEMPORAL_UI_URL: temporalUiUrl };
    const serving = await serve(
      {
        config: { ...config, temporalUiUrl },
        environment: settings,
        stack: addresses,
        onFatal,
      },
      reporter,
    );
    if (hasHome(config))
      keepPorts(portsOf(config.home), { api: Number(new URL(serving.url).port) });
    const baseUrl = config.baseUrl ?? serving.url;
    let stopping: Promise<void> | null = null;
    return {
      config,
      stack,
      record: serving.record,
      baseUrl,
      ingestUrl: config.ingestUrl ?? baseUrl,
      stop: () => (stopping ??= serving.stop().finally(() => stack.stop())),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Without a server of its own, `leadwire up` touches no home. */
const hasHome = ({ mongodbUri, temporalAddress }: Config): boolean =>
  mongodbUri === undefined || temporalAddress === undefined;

/** With `PORT=0` the API is where it was at the last start, as long as that port is free. */
async function withKeptPort(config: Config, reporter: Reporter): Promise<Config> {
  const kept = hasHome(config) ? readPorts(portsOf(config.home)).api : undefined;
  if (config.port !== 0 || kept === undefined || isHomeHeld(config.home)) return config;
  try {
    await assertPortFree(config.host, kept);
    return { ...config, port: kept };
  } catch {
    reporter.info(`Port ${kept} of the API is in use by another process: it gets another one`);
    return config;
  }
}

/** Whether a living process holds the home; `startStack` names it, and what to do. */
function isHomeHeld(home: string): boolean {
  const holder = readHolder(join(home, 'lock.json'));
  return holder !== null && (holder.host !== hostname() || isAlive(holder));
}

function requireSecret(config: Config, stack: Stack): string {
  const secret = config.secret ?? stack.secret;
  if (secret !== null) return secret;
  throw new UsageError(
    'LEADWIRE_SECRET is not set. With an external MongoDB it is required: 32 characters or more, the same for ' +
      'every process on that database (openssl rand -hex 32 creates one).',
  );
}

async function serve(options: ServingOptions, reporter: Reporter): Promise<Serving> {
  const { processes } = options.config;
  reporter.start('Starting Leadwire');
  try {
    // A process that only supervises others does not load the service.
    const serving =
      processes === 1
        ? await (await import('./serveHere.js')).serveHere(options)
        : await (await import('./serveApart.js')).serveApart(options);
    const by = processes === 1 ? '' : `, by ${processes} processes`;
    reporter.done(`Leadwire answers at ${serving.url}${by}`);
    return serving;
  } catch (error) {
    reporter.fail('Leadwire did not start');
    throw error;
  }
}

/**
 * Checks whether the API's address is free, before anything slow is started. Port 0 always is.
 * @throws {Error} naming the address and what to do
 */
async function assertPortFree(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(explain(host, port, (error as NodeJS.ErrnoException).code), { cause: error });
  }
  server.close();
  await once(server, 'close');
}

function explain(host: string, port: number, code: string | undefined): string {
  const address = `${host}:${port}`;
  if (code === 'EADDRINUSE') {
    return (
      `Port ${port} is in use: another process listens on ${address}. Stop it, or set PORT to another port (PORT=0 ` +
      'picks a free one).'
    );
  }
  if (code === 'EACCES') {
    return `This user may not open port ${port}. Set PORT to a port above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${host} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`;
  }
  return `Cannot listen on ${address}: ${code ?? 'unknown reason'}. Set HOST and PORT.`;
}
