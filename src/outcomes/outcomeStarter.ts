/** Starts the workflows that apply changes to sold leads, and applies changes in the process that stored them. */
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { changesTried, type ChangesInput, type ChangesResult } from '../../workflows/messages.js';
import type { recordOutcomes } from '../../workflows/recordOutcomes.js';
import { chunks } from '../lib/chunks.js';
import type { ChangeRef } from './store/outcomeDocs.js';
import { nameOf, tryChanges, type ApplyChangesDeps } from './applyChanges.js';
import { describeLeads } from '../platform/temporal/describe.js';
import { LISTED_ANYWHERE } from '../platform/temporal/listing.js';
import { outcomesId, type TaskQueues } from '../platform/temporal/names.js';
import type { LocalRuns } from '../platform/temporal/localRuns.js';

/** Applies changes that the caller has stored: `OutcomeStarter` by any worker, a local recorder in this process. */
export interface ChangeRecorder {
  /**
   * Starts one workflow for at most 48 changes, and waits until they were tried once: the result of each is then in
   * the database.
   * @param deadline wall-clock milliseconds after which the start, or the wait for a worker, has failed (the work may
   *   continue all the same)
   */
  record(changes: readonly ChangeRef[], deadline: number): Promise<void>;
}

export type OutcomeStarter = ReturnType<typeof createOutcomeStarter>;

export function createOutcomeStarter(client: Client, queues: TaskQueues) {
  const options = (changes: readonly ChangeRef[], settle: boolean) => ({
    ...describeLeads(
      changes.map(({ lead_id: _id, org_id, campaign_id }) => ({ _id, org_id, campaign_id })),
      queues,
      'outcome',
    ),
    workflowId: outcomesId(randomUUID()),
    args: [{ changes: changes.map(nameOf), settle }] as [ChangesInput],
  });
  return {
    async record(changes: readonly ChangeRef[], deadline: number): Promise<void> {
      const startWorkflowOperation = new WithStartWorkflowOperation<typeof recordOutcomes>(
        'recordOutcomes',
        {
          ...options(changes, false),
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
        },
      );
      await client.withDeadline(deadline, () =>
        client.workflow.executeUpdateWithStart(changesTried, {
          updateId: 'tried',
          args: [],
          startWorkflowOperation,
        }),
      );
    },
    /**
     * Starts the workflow of changes that this process tries itself. A worker of this process gets the first task with
     * the answer, where Temporal allows it.
     * @param deadline wall-clock milliseconds after which it throws (the workflow may be started all the same)
     * @param onId receives the id of the workflow before it is started
     */
    async startHere(
      changes: readonly ChangeRef[],
      deadline: number,
      onId: (workflowId: string) => void,
    ): Promise<void> {
      const described = options(changes, false);
      onId(described.workflowId);
      await client.withDeadline(deadline, () =>
        client.workflow.start<typeof recordOutcomes>('recordOutcomes', {
          ...described,
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          requestEagerStart: true,
        }),
      );
    },
    /** Starts workflows for changes that were left behind, without waiting for them. */
    async restart(changes: readonly ChangeRef[]): Promise<void> {
      for (const group of chunks(changes, LISTED_ANYWHERE)) {
        await client.workflow.start<typeof recordOutcomes>('recordOutcomes', options(group, true));
      }
    },
  };
}

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
