/** How a process stores and applies changes of sold leads. */
import type { Client } from '@temporalio/client';
import type { ChangesResult } from '../../workflows/messages.js';
import type { PlanStore } from '../account/store/plans.js';
import type { LeadOutbox } from '../leads/store/leads.js';
import { createSoldLeadStore } from '../leads/store/soldLeads.js';
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { createLocalRecorder, createOutcomeStarter } from '../outcomes/outcomeStarter.js';
import { createSaleChanges } from '../outcomes/service.js';
import { createOutcomeStore } from '../outcomes/store/outcomes.js';
import { createLocalRuns } from '../platform/temporal/localRuns.js';
import type { TaskQueues } from '../platform/temporal/names.js';
import type { Store } from './database.js';
import { hasLeadsWorker, type Role } from './role.js';

interface ChangesInput {
  role: Role;
  collections: Pick<Store['collections'], 'leads' | 'outcomes'>;
  client: Client;
  queues: TaskQueues;
  outbox: LeadOutbox;
  plans: PlanStore;
  clock: Clock;
  log: Log;
}

export function createChanges(input: ChangesInput) {
  const { role, collections, client, queues, outbox, plans, clock, log } = input;
  const outcomes = createOutcomeStore(collections.outcomes);
  const soldLeads = createSoldLeadStore(collections.leads, outbox);
  const outcomeStarter = createOutcomeStarter(client, queues);
  /** Groups of changes that this process applies, and whose activities have not begun. */
  const localChanges = createLocalRuns<ChangesResult>();
  // A process that has a worker for changes applies those that it stores.
  const applying = { outcomes, soldLeads, plans, starter: outcomeStarter, localRuns: localChanges };
  const recorder = hasLeadsWorker(role) ? createLocalRecorder(applying) : outcomeStarter;
  /** Every change of a sold lead goes through it. */
  const saleChanges = createSaleChanges({ outcomes, recorder, clock, log });
  return { outcomes, soldLeads, outcomeStarter, localChanges, saleChanges };
}
