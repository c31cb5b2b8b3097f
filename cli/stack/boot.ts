/** Starts the stack and the service in this process, and stops them in order. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../src/app/config.js';
import { keepHeapSmall } from '../../src/app/keepHeapSmall.js';
import { createLog } from '../../src/lib/log.js';
import { startService } from '../../src/app/service.js';
import type { Service } from '../../src/app/service.js';
import { readHolder } from '../../src/embedded/fileLock.js';
import { isAlive } from '../../src/embedded/processes.js';
import type { Reporter } from '../../src/embedded/reporter.js';
import { startStack } from '../../src/embedded/stack.js';
import type { Stack } from '../../src/embedded/stack.js';
import { UsageError } from '../terminal/errors.js';
import { assertPortFree } from './freePort.js';

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
