/** How a process stores and applies changes of sold leads. */
import type { Client } from '@temporalio/client';
import type { ChangesResult } from '../../workflows/messages.js';
import type { PlanStore } from '../account/store/plans.js';
import type { LeadOutbox } from '../leads/store/leads.js';
import { createSoldLeadStore, type SoldLeadStore } from '../leads/store/soldLeads.js';
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import {
  createOutcomeStarter,
  type OutcomeStarter,
  createLocalRecorder,
} from '../outcomes/outcomeStarter.js';
import { createSaleChanges, type SaleChangeService } from '../outcomes/service.js';
import { createOutcomeStore, type OutcomeStore } from '../outcomes/store/outcomes.js';
import { createLocalRuns, type LocalRuns } from '../platform/temporal/localRuns.js';
import type { TaskQueues } from '../platform/temporal/names.js';
import type { Store } from './database.js';
import { hasLeadsWorker, type Role } from './role.js';

export interface Changes {
  outcomes: OutcomeStore;
  soldLeads: SoldLeadStore;
  outcomeStarter: Pick<OutcomeStarter, 'restart'>;
  /** Groups of changes that this process applies, and whose activities have not begun. */
  localChanges: LocalRuns<ChangesResult>;
  /** Every change of a sold lead goes through it. */
  saleChanges: SaleChangeService;
}

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

export function createChanges(input: ChangesInput): Changes {
  const { role, collections, client, queues, outbox, plans, clock, log } = input;
  const outcomes = createOutcomeStore(collections.outcomes);
  const soldLeads = createSoldLeadStore(collections.leads, outbox);
  const outcomeStarter = createOutcomeStarter(client, queues);
  const localChanges = createLocalRuns<ChangesResult>();
  // A process that has a worker for changes applies those that it stores.
  const recorder = hasLeadsWorker(role)
    ? createLocalRecorder({
        outcomes,
        soldLeads,
        plans,
        starter: outcomeStarter,
        localRuns: localChanges,
      })
    : outcomeStarter;
  const saleChanges = createSaleChanges({ outcomes, recorder, clock, log });
  return { outcomes, soldLeads, outcomeStarter, localChanges, saleChanges };
}
