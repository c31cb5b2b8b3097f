/** Decides groups of leads in the process that stored them, under a workflow that any other process can continue. */
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { LeadRef } from '../platform/temporal/describe.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';
import { createFirstRun, NO_LEADS, type FirstRun } from './firstRun.js';
import { processOwn, processStored, type ProcessDeps } from './processLeads.js';
import type { LeadStarter } from './starters.js';

export interface DecideHereDeps extends ProcessDeps {
  localRuns: LocalRuns<ProcessResult>;
  starter: Pick<LeadStarter, 'startHere'>;
}

/** Decides leads that intake stores: in this process, or by `LeadStarter` in another one. */
export interface Decider {
  /**
   * Starts the workflow of leads that are stored next, as the run's own. Absent where another process decides them.
   * @param deadline wall-clock milliseconds after which the start has failed
   */
  firstRun?: (leads: readonly LeadRef[], deadline: number) => FirstRun;
  /**
   * @param leads as they are inserted
   * @param deadline wall-clock milliseconds after which the start of their workflow has failed
   * @param storing their insertion, where it has not finished yet
   * @param run the run whose own they are; without it, a run acquires them when they are stored
   * @returns the verdicts; null when the group could not be processed yet
   * @throws {Error} what `storing` rejects with; or when the workflow could not be started, or its start is uncertain
   */
  decide(
    leads: readonly Lead[],
    deadline: number,
    storing?: Promise<unknown>,
    run?: FirstRun,
  ): Promise<LeadVerdict[] | null>;
}

/** Time to release leads whose workflow was not started in time, in milliseconds. */
const RELEASE_MS = 300;
const NOT_STARTED = 'The workflow was not started in time.';

/**
 * When this returns verdicts, they are durable in the database and the workflow is started. It does not wait until
 * Temporal has stored the workflow's result: if this process dies, another one runs it and finds the leads decided.
 */
export function createLocalDecider(deps: DecideHereDeps): Decider {
  const firstRun = (leads: readonly LeadRef[], deadline: number): FirstRun => {
    // Leads that could not be started are released before the caller withdraws them at the deadline. The client's own
    // deadline limits each attempt; the client retries a server that refuses connections for longer.
    const startedBy = deadline - RELEASE_MS;
    return createFirstRun(deps.clock, (result) =>
      withTimeout(startedBy - Date.now(), NOT_STARTED, () =>
        deps.starter.startHere(leads, startedBy, (workflowId) =>
          deps.localRuns.expect(workflowId, result),
        ),
      ),
    );
  };
  return {
    firstRun,
    async decide(leads, deadline, storing = Promise.resolve(), run) {
      // Other leads than the run's own can be withdrawn only once they are stored. A workflow that began before, in another
      // process, could acquire one that is stored after its supplier was told 503.
      if (!run) await storing;
      const begun = run ?? firstRun(leads, deadline);
      const steps = { storing, started: begun.started };
      const running = run ? processOwn(leads, run, steps, deps) : processStored(leads, steps, deps);
      // A workflow without stored leads ends, and acquires none that an uncertain insertion has stored after all.
      const result = storing.then(
        () => running,
        () => NO_LEADS,
      );
      begun.finish(result);
      try {
        const { verdicts } = await running;
        return verdicts;
      } catch (error) {
        await storing;
        await begun.started;
        deps.log.warn({ err: error, leads: leads.length }, 'a group could not be processed yet');
        return null;
      }
    },
  };
}
