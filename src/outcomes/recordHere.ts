/** Applies changes of sold leads in the process that stored them, under a workflow that any other process can continue. */
import type { ChangesResult } from '../../workflows/messages.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';
import { nameOf, tryChanges, type ApplyChangesDeps } from './applyChanges.js';
import type { ChangeRecorder, OutcomeStarter } from './outcomeStarter.js';

export interface RecordHereDeps extends ApplyChangesDeps {
  localRuns: Pick<LocalRuns<ChangesResult>, 'expect'>;
  starter: Pick<OutcomeStarter, 'startHere'>;
}

/**
 * The changes are stored, and applying them may be repeated by any process: so they are applied while their workflow is
 * started. It carries on with those whose lead is not ready.
 */
export function createLocalRecorder(deps: RecordHereDeps): ChangeRecorder {
  return {
    async record(changes, deadline) {
      const trying = tryChanges(changes.map(nameOf), deps);
      const starting = deps.starter.startHere(changes, deadline, (workflowId) =>
        deps.localRuns.expect(workflowId, trying),
      );
      // Both end before this does, so that neither failure is unhandled. The workflow may go on.
      await Promise.allSettled([trying, starting]);
      await Promise.all([trying, starting]);
    },
  };
}
