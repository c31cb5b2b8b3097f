/** Decides groups of leads in the process that stored them, under a workflow that any other process can continue. */
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { LocalRuns } from './localRuns.js';
import { processStored, type ProcessDeps } from './processLeads.js';
import type { LeadStarter } from './starters.js';

export interface DecideHereDeps extends ProcessDeps {
  localRuns: LocalRuns;
  starter: Pick<LeadStarter, 'startHere'>;
}

/** Decides leads that intake has stored: in this process, or by `LeadStarter` in another one. */
export interface Decider {
  /**
   * @param leads as they are inserted
   * @param deadline wall-clock milliseconds after which the start of their workflow has failed
   * @param storing their insertion, where it has not finished yet
   * @returns the verdicts; null when the group could not be processed yet
   * @throws {Error} what `storing` rejects with; or when the workflow could not be started, or its start is uncertain
   */
  decide(
    leads: readonly Lead[],
    deadline: number,
    storing?: Promise<unknown>,
  ): Promise<LeadVerdict[] | null>;
}

/** Time to release leads whose workflow was not started in time, in milliseconds. */
const RELEASE_MS = 300;
const NOT_STARTED = 'The workflow was not started in time.';

const NO_LEADS: ProcessResult = { verdicts: [], open: [], dueInMs: 0 };

/**
 * When this returns verdicts, they are durable in the database and the workflow is started. It does not wait until
 * Temporal has stored the workflow's result: if this process dies, another one runs it and finds the leads decided.
 */
export function createLocalDecider(deps: DecideHereDeps): Decider {
  return {
    async decide(leads, deadline, storing = Promise.resolve()) {
      const starting = Promise.withResolvers<unknown>();
      const running = processStored(leads, { storing, started: starting.promise }, deps);
      // A workflow without stored leads ends, and acquires none that an uncertain insertion has stored after all.
      const result = storing.then(
        () => running,
        () => NO_LEADS,
      );
      // Not every started workflow reaches an activity that awaits it.
      result.catch(() => undefined);
      // Leads that could not be started are released before the caller withdraws them at the deadline. The client's own
      // deadline limits each attempt; the client retries a server that refuses connections for longer.
      const startedBy = deadline - RELEASE_MS;
      const started = withTimeout(startedBy - Date.now(), NOT_STARTED, () =>
        deps.starter.startHere(leads, startedBy, (workflowId) =>
          deps.localRuns.expect(workflowId, result),
        ),
      );
      starting.resolve(started);
      try {
        const { verdicts } = await running;
        return verdicts;
      } catch (error) {
        await storing;
        await started;
        deps.log.warn({ err: error, leads: leads.length }, 'a group could not be processed yet');
        return null;
      }
    },
  };
}
