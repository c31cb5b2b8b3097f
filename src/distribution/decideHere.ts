/** Decides groups of leads in the process that has stored them, under a workflow that any other process can go on with. */
import type { LeadVerdict } from '../../workflows/messages.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LocalRuns } from './localRuns.js';
import { processStored, type ProcessDeps } from './processLeads.js';
import type { LeadStarter } from './starters.js';

export interface DecideHereDeps extends ProcessDeps {
  localRuns: LocalRuns;
  starter: Pick<LeadStarter, 'startHere'>;
}

/** Decides what intake has stored: this process itself, or by `LeadStarter` another one. */
export interface Decider {
  /**
   * @param leads as they were inserted a moment ago
   * @param deadline wall-clock milliseconds after which the start of their workflow has failed
   * @returns the verdicts; null when the group could not be processed yet
   * @throws {Error} when the workflow could not be started, or its start is uncertain
   */
  decide(leads: readonly Lead[], deadline: number): Promise<LeadVerdict[] | null>;
}

/**
 * When this returns verdicts, they are durable in the database and the workflow is started. It does not wait until Temporal
 * has stored the workflow's result: if this process dies, another one runs the workflow and finds the leads decided.
 */
export function createLocalDecider(deps: DecideHereDeps): Decider {
  return {
    async decide(leads, deadline) {
      const starting = Promise.withResolvers<unknown>();
      const running = processStored(leads, starting.promise, deps);
      const started = deps.starter.startHere(leads, deadline, (workflowId) =>
        deps.localRuns.expect(workflowId, running),
      );
      starting.resolve(started);
      try {
        const { verdicts } = await running;
        return verdicts;
      } catch (error) {
        await started;
        deps.log.warn({ err: error, leads: leads.length }, 'a group could not be processed yet');
        return null;
      }
    },
  };
}
