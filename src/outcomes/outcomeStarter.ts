/** Starts the workflows that apply changes to sold leads. */
import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import { changesTried, type ChangesInput } from '../../workflows/messages.js';
import type { recordOutcomes } from '../../workflows/recordOutcomes.js';
import { chunks } from '../lib/chunks.js';
import type { ChangeRef } from './store/outcomeDocs.js';
import { describeLeads } from '../platform/temporal/describe.js';
import { LISTED_ANYWHERE } from '../platform/temporal/listing.js';
import { outcomesId, type TaskQueues } from '../platform/temporal/names.js';

export interface OutcomeStarter {
  /**
   * Starts one workflow for at most 48 changes, and waits until it has tried them once: the result of each is then in
   * the database.
   * @param deadline wall-clock milliseconds after which it throws (the work may continue all the same)
   */
  record(changes: readonly ChangeRef[], deadline: number): Promise<void>;
  /** Starts workflows for changes that were left behind, without waiting for them. */
  restart(changes: readonly ChangeRef[]): Promise<void>;
}

export function createOutcomeStarter(client: Client, queues: TaskQueues): OutcomeStarter {
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
    async record(changes, deadline) {
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
    async restart(changes) {
      for (const group of chunks(changes, LISTED_ANYWHERE)) {
        await client.workflow.start<typeof recordOutcomes>('recordOutcomes', options(group, true));
      }
    },
  };
}

const nameOf = ({ _id: id, lead_id }: ChangeRef) => ({ id, lead_id });
