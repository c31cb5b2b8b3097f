/** All activities of the service, made from their dependencies. */
import type { Activities } from '../workflows/activities.js';
import type { IngestCollections } from '../src/ingest/store/collections.js';
import { commandActivities, type CommandDeps } from './commands.js';
import { drainActivities, type DrainDeps } from './drain.js';
import { endpointActivities, type EndpointDeps } from './drainEndpoint.js';
import { outcomeActivities, type OutcomeDeps } from './outcomes.js';
import type { ExpiryDeps } from '../src/pings/expire.js';
import { expiryActivities } from './expirePings.js';
import { intakeActivities, type IntakeDeps } from './intake.js';
import { reconcileActivities, type ReconcileDeps } from './reconcile.js';

export interface ActivityDeps
  extends IntakeDeps, DrainDeps, CommandDeps, ReconcileDeps, ExpiryDeps, EndpointDeps, OutcomeDeps {
  collections: IngestCollections;
  metrics: ReconcileDeps['metrics'] & EndpointDeps['metrics'];
}

/** The activities that workflows call, and what `reconcile` reports to those who call it themselves. */
export const createActivities = (deps: ActivityDeps) =>
  ({
    ...intakeActivities(deps),
    ...drainActivities(deps),
    ...commandActivities(deps),
    ...reconcileActivities(deps),
    ...expiryActivities(deps),
    ...endpointActivities(deps),
    ...outcomeActivities(deps),
  }) satisfies Activities;
