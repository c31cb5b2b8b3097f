/** Starts the stack and the service in this process, and stops them in order. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../src/app/config.js';
import { keepHeapSmall } from '../../src/app/keepHeapSmall.js';
import { createLog } from '../../src/lib/log.js';
import { startService, type Service } from '../../src/app/service.js';
import { readHolder } from '../../src/embedded/fileLock.js';
import { isAlive } from '../../src/embedded/processes.js';
import type { Reporter } from '../../src/embedded/reporter.js';
import { startStack, type Stack } from '../../src/embedded/stack.js';
import { UsageError } from '../terminal/errors.js';

export interface Running {
  config: Config;
  stack: Stack;
  service: Service;
  /** Where the API answers. */
  baseUrl: string;
  ingestUrl: string;
  /** The service first, then the servers under it. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * @param onFatal told when the service can no longer do its work
 * @throws {Error} that a person can act on; whatever was started has been stopped
 */
export async function boot(
  config: Config,
  reporter: Reporter,
  onFatal: (error: unknown) => void,
): Promise<Running> {
  // Two of one home mostly have one port too; who holds the home says more.
  if (!isHomeHeld(config.home)) await assertPortFree(config.host, config.port);
  const stack = await startStack({
    home: config.home,
    cacheDir: config.cacheDir,
    reporter,
    temporalNamespace: config.temporalNamespace,
    ...(config.mongodbUri === undefined ? {} : { mongodbUri: config.mongodbUri }),
    ...(config.temporalAddress === undefined ? {} : { temporalAddress: config.temporalAddress }),
    ...(config.mongodPath === undefined ? {} : { mongodPath: config.mongodPath }),
    ...(config.temporalPath === undefined ? {} : { temporalPath: config.temporalPath }),
  });
  try {
    const service = await startOnStack(config, stack, reporter, onFatal);
    const baseUrl = config.baseUrl ?? service.url ?? '';
    let stopping: Promise<void> | null = null;
    return {
      config,
      stack,
      service,
      baseUrl,
      ingestUrl: config.ingestUrl ?? baseUrl,
      stop: () => (stopping ??= service.stop().finally(() => stack.stop())),
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Whether a living process has the home; `startStack` tells which, and what to do. */
function isHomeHeld(home: string): boolean {
  const holder = readHolder(join(home, 'lock.json'));
  return holder !== null && (holder.host !== hostname() || isAlive(holder));
}

async function startOnStack(
  config: Config,
  stack: Stack,
  reporter: Reporter,
  onFatal: (error: unknown) => void,
): Promise<Service> {
  const secret = config.secret ?? stack.secret;
  if (secret === null) {
    throw new UsageError(
      'LEADWIRE_SECRET is not set. With an external MongoDB it is required: 32 characters or more, the same for ' +
        'every process on that database (openssl rand -hex 32 creates one).',
    );
  }
  reporter.start('Starting Leadwire');
  keepHeapSmall();
  try {
    const service = await startService({
      config,
      stack: {
        mongodbUri: stack.mongodbUri,
        temporalAddress: stack.temporalAddress,
        temporalNamespace: stack.temporalNamespace,
        secret,
      },
      role: 'all',
      onFatal,
      log: createLog(config.logLevel, 'all'),
    });
    reporter.done(service.url ? `Leadwire answers at ${service.url}` : 'Leadwire is running');
    return service;
  } catch (error) {
    reporter.fail('Leadwire did not start');
    throw error;
  }
}

/**
 * Looks whether the API's address can be listened on, before anything slow is started. 0 always can.
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
