/** Decides groups of leads in the process that accepts them, under a workflow that any other process can continue. */
import type { ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadRef } from '../platform/temporal/describe.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';
import {
  decideOrWithdraw,
  type Decider,
  type LeadGroup,
  type Progress,
  type Steps,
  type Verdicts,
} from './decider.js';
import { createFirstRun, type FirstRun } from './firstRun.js';
import { processFirst, type ProcessDeps } from './processLeads.js';
import { retryWhileUnavailable } from './retryWhileUnavailable.js';
import type { LeadStarter } from './starters.js';

export interface DecideHereDeps extends ProcessDeps {
  localRuns: Pick<LocalRuns<ProcessResult>, 'expect'>;
  starter: Pick<LeadStarter, 'startHere'>;
}

/**
 * When this returns verdicts, they are durable in the database and the workflow is started. It does not wait until
 * Temporal has stored the workflow's result: if this process dies, another one runs it and finds the leads decided.
 */
export const createLocalDecider = (deps: DecideHereDeps): Decider => ({
  async accept(group) {
    const run = createFirstRun(deps.clock);
    // The workflow is started while the leads are checked and stored, unless they have pings: those must not be acquired
    // before their pings are redeemed. If another process receives the workflow, it looks for the leads until their ids
    // are too old, and acquires them once they are stored. When the run is called off, its leads are stored as withdrawn
    // before they are refused, so that this process cannot acquire them afterwards.
    const started = group.hasPings ? undefined : startWorkflow(group.leads, run, group, deps);
    const leads = await group.check().catch((error: unknown) => {
      run.callOff();
      throw error;
    });
    if (leads.length > 0) return storeAndDecide(leads, { run, started }, group, deps);
    run.callOff();
    return new Map();
  },
});

function startWorkflow(
  leads: readonly LeadRef[],
  run: FirstRun,
  { decidedByAt }: LeadGroup,
  { clock, localRuns, starter }: DecideHereDeps,
): Promise<void> {
  const started = starter.startHere(leads, decidedByAt - clock.monotonic(), (workflowId) =>
    localRuns.expect(workflowId, run.result),
  );
  // A run that is called off does not await it.
  started.catch(() => undefined);
  return started;
}

function storeAndDecide(
  checked: readonly Lead[],
  { run, started }: { run: FirstRun; started: Promise<void> | undefined },
  group: LeadGroup,
  deps: DecideHereDeps,
): Promise<Verdicts | null> {
  // Another request with the same key or ping may find a lead, and promises it when a run has acquired it: that must not
  // be before its workflow is started. All others are inserted already leased to this run, which saves an update.
  const isShared = group.hasPings || checked.some((lead) => lead.idempotency_id !== undefined);
  const leads = isShared ? checked : checked.map(run.leaseLead);
  const progress: Progress = { leads, mayRun: started !== undefined };
  const store = async () => (progress.leads = await group.store(leads));
  const start = async (): Promise<void> => {
    progress.mayRun = progress.leads.length > 0;
    if (progress.mayRun) await startWorkflow(progress.leads, run, group, deps);
  };
  const decide = async () => {
    const storing = store();
    const steps = { storing, starting: started ?? storing.then(start) };
    return (await processFirst(leads, run, steps, deps)).verdicts;
  };
  const withdraw: Steps['withdraw'] = (undecided) => withdrawLeads(undecided, run, deps);
  return decideOrWithdraw(progress, group, { decide, withdraw }, deps);
}

/** Leads of a run that has begun are withdrawn only if it has not acquired them. */
function withdrawLeads(
  leads: readonly Lead[],
  run: FirstRun,
  { background, clock, leads: store, log }: DecideHereDeps,
): Promise<Set<string>> {
  const ids = leads.map(({ _id }) => _id);
  const now = clock.now();
  if (!run.callOff()) return store.withdraw(ids, now);
  // Also after the answer: `reconcile` would resume leads that are stored with this run, although it has not begun.
  const withdrawing = retryWhileUnavailable(
    () => store.withdrawCalledOff(leads, run.lease.id, now),
    { clock, log },
  );
  const settled = withdrawing.then(
    () => undefined,
    (err: unknown) => log.warn({ err, leads: ids.length }, 'leads that no run began stay stored'),
  );
  background.add(settled);
  return withdrawing;
}
