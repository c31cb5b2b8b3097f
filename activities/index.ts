/** All activities of the service, made from their dependencies. */
import type { Collections } from '../src/store/collections.js';
import { commandActivities, type CommandDeps } from './commands/index.js';
import { drainActivities, type DrainDeps } from './drain.js';
import { endpointActivities, type EndpointDeps } from './events/drain.js';
import { outcomeActivities, type OutcomeDeps } from './outcomes/index.js';
import { expiryActivities, type ExpiryDeps } from './pings/expire.js';
import { intakeActivities, type IntakeDeps } from './intake.js';
import { reconcileActivities, type ReconcileDeps } from './reconcile/index.js';

export interface ActivityDeps
  extends IntakeDeps, DrainDeps, CommandDeps, ReconcileDeps, ExpiryDeps, EndpointDeps, OutcomeDeps {
  collections: Collections;
  metrics: ReconcileDeps['metrics'] & EndpointDeps['metrics'];
}

export const createActivities = (deps: ActivityDeps) => ({
  ...intakeActivities(deps),
  ...drainActivities(deps),
  ...commandActivities(deps),
  ...reconcileActivities(deps),
  ...expiryActivities(deps),
  ...endpointActivities(deps),
  ...outcomeActivities(deps),
});

export type Activities = ReturnType<typeof createActivities>;
