/** All activities of the service, made from their dependencies. */
import type { Activities } from '../workflows/activities.js';
import type { IngestCollections } from '../src/ingest/store/collections.js';
import { createCommandActivities, type CommandDeps } from './commands.js';
import { createDrainActivities, type DrainDeps } from './drain.js';
import { createAutomationActivities, type AutomationDrainDeps } from './drainEndpoint.js';
import { createOutcomeActivities, type OutcomeDeps } from './outcomes.js';
import type { ExpiryDeps } from '../src/pings/expire.js';
import { createExpiryActivities } from './expirePings.js';
import { createIntakeActivities, type IntakeDeps } from './intake.js';
import { createReconcileActivities, type ReconcileDeps } from './reconcile.js';

export interface ActivityDeps
  extends
    IntakeDeps,
    DrainDeps,
    CommandDeps,
    ReconcileDeps,
    ExpiryDeps,
    AutomationDrainDeps,
    OutcomeDeps {
  collections: IngestCollections;
  metrics: ReconcileDeps['metrics'] & AutomationDrainDeps['metrics'];
}

/** The activities that workflows call, and what `reconcile` reports to those who call it themselves. */
export const createActivities = (deps: ActivityDeps) =>
  ({
    ...createIntakeActivities(deps),
    ...createDrainActivities(deps),
    ...createCommandActivities(deps),
    ...createReconcileActivities(deps),
    ...createExpiryActivities(deps),
    ...createAutomationActivities(deps),
    ...createOutcomeActivities(deps),
  }) satisfies Activities;
