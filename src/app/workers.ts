/** The workers of a process, and the connection that they need. A process with the API role only does not load this. */
import type { NativeConnection, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import type { Deps } from './deps.js';
import type { Log } from '../lib/log.js';
import type { Role } from './role.js';
import {
  connectWorkers,
  createDeliveryWorker,
  createLeadsWorker,
  installRuntime,
} from './temporalWorkers.js';

export interface Workers {
  connection: NativeConnection;
  /** The workers of a role, not yet running. */
  create(role: Role, deps: Deps): Promise<Worker[]>;
}

let runtimeInstalled = false;

/** @throws {Error} when Temporal does not answer */
export async function openWorkers(temporalAddress: string, log: Log): Promise<Workers> {
  if (!runtimeInstalled) installRuntime(log);
  runtimeInstalled = true;
  const connection = await connectWorkers(temporalAddress);
  return {
    connection,
    create(role, deps) {
      const options = { ...deps, connection, activities: createActivities(deps) };
      return Promise.all([
        ...(role === 'all' || role === 'worker' ? [createLeadsWorker(options)] : []),
        ...(role === 'all' || role === 'delivery' ? [createDeliveryWorker(options)] : []),
      ]);
    },
  };
}
