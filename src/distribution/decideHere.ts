/** Decides groups of leads in the process that accepts them, under a workflow that any other process can continue. */
import type { ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { LeadRef } from '../platform/temporal/describe.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';
import {
  completeVerdicts,
  NOT_DECIDED,
  withdrawUndecided,
  type Decider,
  type LeadGroup,
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
    // A lead with a ping must not be acquired before its ping is redeemed. All others are started beside the check and the
    // insertion. If another process receives the workflow, it acquires them as soon as they are stored, or looks for them
    // until their ids are too old; leads of a run that is called off are stored as withdrawn before the refusal, so that
    // it finds none that is stored after it.
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

async function storeAndDecide(
  checked: readonly Lead[],
  { run, started }: { run: FirstRun; started: Promise<void> | undefined },
  group: LeadGroup,
  deps: DecideHereDeps,
): Promise<Verdicts | null> {
  // Another request with the same key or ping may find a lead, and promises it when a run has acquired it: that must not
  // be before its workflow is started. All others are inserted already leased to this run, which saves an update.
  const isShared = group.hasPings || checked.some((lead) => lead.idempotency_id !== undefined);
  const leads = isShared ? checked : checked.map(run.leaseLead);
  let stored = leads;
  let mayRun = started !== undefined;
  const store = async (): Promise<readonly Lead[]> => (stored = await group.store(leads));
  const start = async (): Promise<void> => {
    mayRun = stored.length > 0;
    if (mayRun) await startWorkflow(stored, run, group, deps);
  };
  try {
    const leftMs = group.decidedByAt - deps.clock.monotonic();
    const { verdicts } = await withTimeout(leftMs, NOT_DECIDED, () => {
      const storing = store();
      return processFirst(leads, run, { storing, starting: started ?? storing.then(start) }, deps);
    });
    return completeVerdicts(stored, verdicts);
  } catch (error) {
    deps.log.warn({ err: error, leads: stored.length }, 'a group could not be committed');
  }
  return (await withdraw(stored, run, group, deps)) ?? (mayRun ? null : new Map());
}

/** Leads of a run that has begun are withdrawn only if it has not acquired them. */
async function withdraw(
  leads: readonly Lead[],
  run: FirstRun,
  group: LeadGroup,
  deps: DecideHereDeps,
): Promise<Verdicts | null> {
  const ids = leads.map(({ _id }) => _id);
  const now = deps.clock.now();
  if (!run.callOff())
    return withdrawUndecided(leads, group, () => deps.leads.withdraw(ids, now), deps);
  const withdrawAll = () => deps.leads.withdrawCalledOff(leads, run.lease.id, now);
  const verdicts = await withdrawUndecided(leads, group, withdrawAll, deps);
  // Otherwise `reconcile` would resume leads that are stored with this run, although it has not begun.
  if (!verdicts)
    deps.background.add(
      retryWhileUnavailable(withdrawAll, deps).then(
        () => undefined,
        (error: unknown) =>
          deps.log.warn({ err: error, leads: ids.length }, 'leads that no run began stay stored'),
      ),
    );
  return verdicts;
}
