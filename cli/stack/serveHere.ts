import { startService } from '../../src/app/service.js';
import { createLog } from '../../src/lib/log.js';
import type { Serving, ServingOptions } from './serving.js';

/** Runs the whole service in this process. */
export async function serveHere({ config, stack, onFatal }: ServingOptions): Promise<Serving> {
  const log = createLog(config.logLevel, 'all');
  const service = await startService({ config, stack, role: 'all', onFatal, log });
  return { url: service.url ?? '', record: service.deps, stop: () => service.stop() };
}
