/** The workers of a process, and the connection that they need. A process with the API role only does not load this. */
import { activityInfo } from '@temporalio/activity';
import type { Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/index.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';
import type { TemporalCells } from '../platform/metrics/temporalMetrics.js';
import type { Deps } from './deps.js';
import type { Log } from '../lib/log.js';
import { reconcile } from './reconcile.js';
import { hasDeliveryWorker, hasLeadsWorker, type Role } from './role.js';
import {
  connectWorkers,
  createDeliveryWorker,
  createLeadsWorker,
  installRuntime,
} from './temporalWorkers.js';

/** What the SDK of this process reports; absent until its runtime is installed. */
let reported: TemporalCells | undefined;

export type Workers = Awaited<ReturnType<typeof openWorkers>>;

/** @throws {Error} when Temporal does not answer */
export async function openWorkers(temporalAddress: string, log: Log) {
  reported ??= installRuntime(log);
  const connection = await connectWorkers(temporalAddress);
  return {
    connection,
    reported,
    /** The workers of a role, not yet running. */
    create(role: Role, deps: Deps): Promise<Worker[]> {
      const activities = createActivities(deps);
      const joined = {
        ...activities,
        processLeads: joiningLocalRuns(activities.processLeads, deps.localRuns),
        reconcile: () => reconcile(deps),
        applyChanges: joiningLocalRuns(activities.applyChanges, deps.localChanges),
      };
      const options = { ...deps, connection, activities: joined };
      return Promise.all([
        ...(hasLeadsWorker(role) ? [createLeadsWorker(options)] : []),
        ...(hasDeliveryWorker(role) ? [createDeliveryWorker(options)] : []),
      ]);
    },
  };
}

/** For a group that this process works on already, the activity returns the result of that run. */
const joiningLocalRuns =
  <I, R>(activity: (input: I) => Promise<R>, localRuns: Pick<LocalRuns<R>, 'take'>) =>
  (input: I): Promise<R> =>
    localRuns.take(activityInfo().workflowExecution?.workflowId ?? '') ?? activity(input);
